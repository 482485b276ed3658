"""Rated games that end at the same instant for the same people, in threads, on both databases."""

from __future__ import annotations

from functools import partial

import pytest

from accounts.models import User
from games.models import Game, RatedSeat, Rating
from games.play import commands
from games.play.ratings import correcting, counting
from tests.games.play.test_races import at_once
from tests.support.fast_games import START, running_game
from tests.support.game_driver import LEAVE, GameDriver

pytestmark = pytest.mark.django_db(transaction=True)
LATER = START.replace(year=START.year + 1)


def leaves(driver: GameDriver) -> None:
    """End a game of two."""
    commands.move(driver.code, 0, LEAVE, seen=None, now=driver.now)


def assert_counted_once_and_in_order(games: int) -> None:
    numbers = list(RatedSeat.objects.order_by("number").values_list("rating__user", "number"))
    assert len(set(numbers)) == len(numbers) == 2 * games
    for rating in Rating.objects.all():
        mine = RatedSeat.objects.filter(rating=rating).order_by("number")
        assert rating.games == mine.count()
        steps = [(part.mu_before, part.mu) for part in mine]
        assert all(then[0] == before[1] for before, then in zip(steps, steps[1:], strict=False))
        assert rating.mu == steps[-1][1]
    assert [each for each in correcting.differences("perudo") if each is not None] == []


@pytest.mark.parametrize("_", range(4))
def test_games_of_one_person_that_end_at_once(
    alice: User, bob: User, charlie: User, _: int
) -> None:
    games = [
        GameDriver(running_game(*company, rounds=1, rated=True))
        for company in ((alice, bob), (charlie, alice), (bob, alice), (bob, charlie))
    ]
    assert at_once(*(partial(leaves, each) for each in games)) == ["done"] * 4
    assert all(each.game.status == Game.Status.FINISHED for each in games)
    counting.make_up(now=LATER)
    assert_counted_once_and_in_order(4)


@pytest.mark.parametrize("_", range(4))
def test_a_game_that_is_made_up_by_two_processes_counts_once(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, _: int
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(counting, "count", lambda *args, **kwargs: None)
        leaves(GameDriver(running_game(alice, bob, rounds=1, rated=True)))
    assert not RatedSeat.objects.filter(number__isnull=False).exists()
    make_up = partial(counting.make_up, now=LATER)
    assert at_once(make_up, make_up) == ["done", "done"]
    assert_counted_once_and_in_order(1)


@pytest.mark.parametrize("_", range(4))
def test_a_game_that_ends_while_ratings_are_corrected(
    alice: User, bob: User, charlie: User, _: int
) -> None:
    for company in ((alice, bob), (bob, charlie), (alice, charlie)):
        leaves(GameDriver(running_game(*company, rounds=1, rated=True)))
    late = GameDriver(running_game(alice, bob, rounds=1, rated=True))
    correcting.ask("perudo", 0, now=LATER)
    assert at_once(
        lambda: correcting.run(LATER, 1.0), partial(leaves, late)
    ) == ["done", "done"]  # fmt: skip
    correcting.run(LATER, 1.0)
    counting.make_up(now=LATER)
    assert_counted_once_and_in_order(4)
