"""`manage.py review_games`: what is missing or stale, in parts, with what it costs."""

from __future__ import annotations

import os
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.management.commands import review_games
from games.models import Game, GameReview
from games.peco_peco import review
from games.peco_peco.tests import fast_games
from games.study.review import reviews

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_nice_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "nice", lambda by: by)


@pytest.fixture
def games(alice: User, bob: User, charlie: User) -> list[Game]:
    return [fast_games.played_game(alice, bob, charlie, "easy") for _ in range(3)]


def said(**options: Any) -> str:
    out = StringIO()
    call_command("review_games", stdout=out, stderr=out, **options)
    return out.getvalue()


def reviewed() -> set[int]:
    return set(GameReview.objects.values_list("pk", flat=True))


def test_it_reviews_what_has_no_review_and_says_what_that_costs(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_games, "_AT_ONCE", 2)
    text = said()
    assert text.startswith("peco_peco, 3 games: one takes ") and "s, all about 1 min." in text
    assert "Games reviewed: 3, of which failed: 0." in text
    assert reviewed() == {game.pk for game in games}
    assert said() == "Games reviewed: 0, of which failed: 0.\n"


def test_it_goes_on_where_it_stopped_the_latest_first(games: list[Game]) -> None:
    said(limit=1)
    assert reviewed() == {games[-1].pk}
    said(limit=1, game="peco_peco")
    assert reviewed() == {games[-1].pk, games[-2].pk}
    said(limit=9)
    assert len(reviewed()) == 3


def test_a_new_judge_makes_them_again(games: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    said()
    monkeypatch.setattr(review, "JUDGE", "counts of tomorrow")
    assert "Games reviewed: 3" in said()
    assert {row.judge for row in GameReview.objects.all()} == {"counts of tomorrow"}


def test_interrupted_it_keeps_what_it_has(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, made = reviews.make, []

    def until_interrupted(game: Game, **options: Any) -> None:
        if made:
            raise KeyboardInterrupt
        made.append(game)
        real(game, **options)

    monkeypatch.setattr(reviews, "make", until_interrupted)
    text = said()
    assert "Interrupted" in text and "Games reviewed: 1," in text
    assert reviewed() == {games[-1].pk}


def test_one_that_fails_stops_no_other(games: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    real = review.analyse

    def fail_once(record: Any) -> dict[str, Any]:
        if not reviewed() and not tried:
            tried.append(True)
            raise LookupError("alice holds an elephant")
        return real(record)

    tried: list[bool] = []
    monkeypatch.setattr(review, "analyse", fail_once)
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("review_games", stdout=out, stderr=out)
    assert f"{games[-1].code}: LookupError" in out.getvalue() and "alice" not in out.getvalue()
    assert reviewed() == {game.pk for game in games[:-1]}


def test_neither_running_games_nor_warm_ups_are_reviewed(
    games: list[Game], alice: User, bob: User, charlie: User
) -> None:
    fast_games.running_game(alice, bob, charlie, "easy")
    Game.objects.filter(pk=games[0].pk).update(origin=Game.Origin.WARM_UP)
    said()
    assert reviewed() == {games[1].pk, games[2].pk}


@pytest.mark.parametrize("options", [{"game": "draughts"}, {"limit": 0}])
def test_what_makes_no_sense_is_refused(games: list[Game], options: dict[str, Any]) -> None:
    with pytest.raises(CommandError):
        said(**options)
    assert not reviewed()
