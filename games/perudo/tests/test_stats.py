"""The rounds and places kept for pages are what the log tells, after whole games of every kind."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from games.models import Game
from games.perudo import rules
from games.perudo.models import Round
from games.perudo.rules.events import Revealed, Rolled
from games.perudo.rules.options import PRESETS
from games.store import event_log
from tests.support.fast_games import finish_game, finished_game, running_game
from tests.support.game_driver import LEAVE, GameDriver, deal_game

CHANGES = {"die_lost": "loser__number", "die_regained": "gainer__number"}


def rounds_of_the_log(game: Game) -> list[dict[str, Any]]:
    """The rows of `Round` as the log alone tells them: one for every time the cups went up."""
    state, rows = None, []
    for told in event_log.unsealed_facts(game):
        if state is not None and rows and state.phase == "reveal" and told.fact.kind in CHANGES:
            rows[-1][CHANGES[told.fact.kind]] = told.fact.seat
        if isinstance(told.fact, Revealed):
            bidder, bid = state.bids[-1]
            rows.append(
                {
                    "number": state.number, "seq": told.seq, "opener__number": state.opener,
                    "palifico__number": state.palifico, "bidder__number": bidder,
                    "quantity": bid.quantity, "face": bid.face, "call": told.fact.call,
                    "caller__number": told.fact.caller, "count": told.fact.count,
                    "loser__number": None, "gainer__number": None,
                    "hands": [list(hand) for hand in told.fact.hands],
                }
            )  # fmt: skip
        state = rules.evolve(state, told.fact)
    return rows


def assert_history_is_true(game: Game) -> None:
    expected = rounds_of_the_log(game)
    assert expected
    columns = expected[0].keys()
    assert list(Round.objects.filter(game=game).order_by("number").values(*columns)) == expected
    outcome = rules.outcome(event_log.public_state(game))
    assert outcome is not None
    by_place = game.seat_set.order_by("place").values_list("number", flat=True)
    assert tuple((number,) for number in by_place) == outcome.ranking


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("calza", ["off", "on"])
def test_the_rounds_and_places_of_whole_games_follow_from_the_log(
    alice: User, bob: User, charlie: User, preset: str, calza: str
) -> None:
    assert_history_is_true(finished_game(alice, bob, charlie, "sharp", preset=preset, calza=calza))


def test_they_do_so_when_somebody_left(alice: User, bob: User, charlie: User) -> None:
    game = running_game(alice, bob, charlie, rounds=1, calza="on")
    seat = next(
        seat for seat in game.seat_set.all() if seat.number != event_log.public_state(game).turn
    )
    driver = GameDriver(game, now=game.due_at)
    driver.move(seat.number, LEAVE, after=-10)
    assert_history_is_true(finish_game(driver.game))


def test_every_hand_of_the_history_was_rolled(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    rolled: dict[int, list[int]] = {}
    rows = iter(Round.objects.filter(game=game))
    for told in event_log.unsealed_facts(game):
        if isinstance(told.fact, Rolled):
            rolled[told.fact.only] = list(told.fact.dice)
        if isinstance(told.fact, Revealed):
            assert next(rows).hands == [rolled[0], rolled[1]]


def test_a_game_that_others_left_in_its_first_round_has_places_but_no_rounds(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=((2,) * 5, (3,) * 5))
    driver.move(0, LEAVE)
    assert not Round.objects.exists()
    assert [seat.place for seat in driver.game.seat_set.all()] == [2, 1]
