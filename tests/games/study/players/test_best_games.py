"""The best games of the week: public ones, the boldest move that held first."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.models import User
from games.models import Game
from games.study.players import best_games
from tests.games.study.review.test_figures import bluff, judged
from tests.games.study.review.test_jobs import games_of
from tests.support.fast_games import START

pytestmark = pytest.mark.django_db
SOON = START + timedelta(days=1)


def won(*people: User, chance: float | None = None, **columns: Any) -> Game:
    """A game that the first won, whose boldest move that held was so likely to be true."""
    [game] = games_of(*people, **columns)
    game.seat_set.filter(number=0).update(place=1)
    judged(people[0], game, **({} if chance is None else bluff(chance)))
    return game


def codes(**at: Any) -> list[str]:
    return [each.url.split("/")[2] for each in best_games.of_the_week(**({"now": SOON} | at))]


def test_the_boldest_move_is_first_and_each_game_is_there_once(alice: User, bob: User) -> None:
    tame, bold = won(alice, bob, chance=0.4, code="a"), won(bob, alice, chance=0.1, code="b")
    judged(alice, bold, **bluff(0.3))
    won(alice, bob, code="c")  # with no such move
    assert codes() == [bold.code, tame.code]
    with translation.override("en"):
        found, _ = best_games.of_the_week(now=SOON)
    assert found.bold.user == bob and found.url.endswith("/replay/7")
    assert found.told.startswith("Biggest bluff that held: “I can't play”")
    assert [seat.user for seat in found.seats] == [bob, alice]


def test_only_public_games_of_the_last_seven_days_are_there(alice: User, bob: User) -> None:
    won(alice, bob, chance=0.1, code="a", visibility=Game.Visibility.LINK, listed=False)
    public = won(alice, bob, chance=0.2, code="b")
    assert codes() == [public.code]
    assert codes(now=START + best_games.WEEK - timedelta(seconds=1)) == [public.code]
    assert codes(now=START + best_games.WEEK + timedelta(seconds=1)) == []


def test_who_shows_their_games_to_nobody_is_not_named(alice: User, bob: User) -> None:
    won(alice, bob, chance=0.1, code="a")
    User.objects.filter(pk=alice.pk).update(games_shown_to=User.GamesShownTo.NOBODY)
    assert codes() == []


def test_everybody_reads_them_at_a_price_that_does_not_grow(alice: User, bob: User) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            page = Client().get("/games/best")
        assert page.status_code == 200
        assert page.content.decode().count('class="played-game"') == shown
        return len(queries)

    shown = 0
    assert "Play with people" in Client().get("/games/best").content.decode()
    asked()
    now = (timezone.now() - START).total_seconds() / 60 - 5
    for number in range(12):
        won(alice, bob, chance=0.01 * number, code=f"g{number}", minutes=now)
        shown = min(number + 1, best_games.SHOWN)
        if number == 0:
            few = asked()
    assert asked() == few <= 4
