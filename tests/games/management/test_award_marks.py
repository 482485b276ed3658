"""`manage.py award_marks`: games from before there were marks, once, with what that costs."""

from __future__ import annotations

import os
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.models import Game, Mark
from games.peco_peco.tests import fast_games as cards
from games.perudo import marks as perudo_marks
from games.study.marks import awards
from tests.support.fast_games import finished_game, running_game

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_nice_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "nice", lambda by: by)


@pytest.fixture
def games(alice: User, bob: User, charlie: User) -> list[Game]:
    """Games that ended before there were marks, and others that earn none."""
    games = [finished_game(alice, bob) for _ in range(3)]
    games.append(cards.played_game(alice, bob, charlie, "easy"))
    warm_up = finished_game(alice, bob)
    Game.objects.filter(pk=warm_up.pk).update(origin=Game.Origin.WARM_UP)
    running_game(alice, bob, rounds=1)
    Game.objects.update(marks_due_at=None)
    return games


def said(**options: Any) -> str:
    out = StringIO()
    call_command("award_marks", stdout=out, stderr=out, **options)
    return out.getvalue()


def looked_through() -> set[int]:
    return set(Game.objects.filter(marks_version=1).values_list("pk", flat=True))


def test_it_looks_through_old_games_once_and_says_what_that_costs(games: list[Game]) -> None:
    text = said()
    assert text.startswith("perudo, 3 games: one takes ") and " s, all about 1 min." in text
    assert "peco_peco, 1 games: one takes " in text
    assert "Games looked through: 4, of which failed: 0." in text
    assert looked_through() == {game.pk for game in games}
    found = set(Mark.objects.values_list("kind_key", "game"))
    assert found == {("perudo", games[0].pk), ("peco_peco", games[3].pk)}, "of the first of each"
    assert said() == "Games looked through: 0, of which failed: 0.\n"


def test_it_goes_on_where_it_stopped_the_oldest_first(games: list[Game]) -> None:
    said(limit=1)
    assert looked_through() == {games[0].pk}
    said(limit=2)
    assert looked_through() == {game.pk for game in games[:3]}
    said(limit=9)
    assert len(looked_through()) == 4


def test_new_marks_are_looked_for_in_all_games_again(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    said()
    kept = set(Mark.objects.values_list("pk", flat=True))
    monkeypatch.setattr(perudo_marks, "VERSION", 2)
    assert "Games looked through: 3" in said()
    assert set(Mark.objects.values_list("pk", flat=True)) == kept


def test_interrupted_it_keeps_what_it_has(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, made = awards.award, []

    def until_interrupted(game: Game) -> None:
        if made:
            raise KeyboardInterrupt
        made.append(game)
        real(game)

    monkeypatch.setattr(awards, "award", until_interrupted)
    text = said()
    assert "Interrupted: run it again for the rest." in text
    assert "Games looked through: 1, of which failed: 0." in text
    assert looked_through() == {games[0].pk} and Mark.objects.exists()


def test_one_that_cannot_be_read_is_named_and_stops_nothing(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = awards.award

    def fails(game: Game) -> None:
        if game.pk == games[1].pk:
            raise ValueError("fact 7 cannot be read")
        real(game)

    monkeypatch.setattr(awards, "award", fails)
    out = StringIO()
    with pytest.raises(CommandError, match="Some games could not be looked through"):
        call_command("award_marks", stdout=out, stderr=out)
    assert f"{games[1].code}: ValueError" in out.getvalue()
    assert looked_through() == {game.pk for game in games} - {games[1].pk}
    with pytest.raises(CommandError, match="at least 1"):
        said(limit=0)
