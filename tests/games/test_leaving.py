"""Leaving a running game: the dice stay until the round ends, the others play on."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.models import Game, Seat
from games.play import before_start
from games.store import queries
from tests.games.evening import CONFIRM, DUDO, LEAVE, Evening, bid, dealt

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


@pytest.fixture
def evening(alice: User, bob: User, charlie: User) -> Evening:
    return dealt(alice, bob, charlie, hands=HANDS)


def test_who_leaves_out_of_turn_keeps_nobody_waiting(evening: Evening) -> None:
    evening.says(2, LEAVE)
    assert evening.seat(2).gone
    assert evening.times == (None, 40, 40), "the turn of another goes on as it was"
    assert evening.state.dice == (5, 5, 5)


def test_leaving_on_your_turn_makes_the_automatic_move_at_once(evening: Evening) -> None:
    evening.says(0, LEAVE)
    assert evening.times == (None, 1.2, 1.2)
    evening.clock_strikes()
    assert evening.state.bids == ((0, bid("1x2")),)


def test_a_seat_that_left_moves_automatically_when_its_turn_comes(evening: Evening) -> None:
    evening.says(1, LEAVE)
    evening.says(0, bid("2x3"))
    assert evening.times == (None, 1.2, 1.2)
    evening.clock_strikes()
    assert evening.state.result.caller == 1
    assert evening.seat(1).missed == 0


def test_who_left_is_out_when_the_round_ends(evening: Evening) -> None:
    evening.says(2, LEAVE)
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    assert evening.state.out == (2,)
    assert evening.state.phase == "reveal"


def test_nobody_waits_for_a_look_of_who_left(evening: Evening) -> None:
    evening.says(2, LEAVE)
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    evening.says(0, CONFIRM)
    evening.says(1, CONFIRM, rolls=[2] * 9)
    assert (evening.state.phase, evening.state.active) == ("turn", (0, 1))


def test_who_leaves_while_the_cups_are_up_is_out_at_once(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    evening.says(2, LEAVE)
    assert (evening.state.phase, evening.state.out) == ("reveal", (2,))


def test_the_round_goes_on_when_the_last_who_looked_has_left(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    evening.says(0, CONFIRM)
    evening.says(1, CONFIRM)
    evening.says(2, LEAVE, rolls=[2] * 9)
    assert (evening.state.phase, evening.state.number) == ("turn", 2)
    assert evening.times == (None, 45, 45)


@pytest.mark.parametrize("speaking", [True, False])
def test_the_last_person_to_stay_wins(evening: Evening, speaking: bool) -> None:
    evening.says(1, LEAVE)
    evening.says(0 if speaking else 2, LEAVE)
    game = evening.game
    assert game.status == Game.Status.FINISHED and game.finished_at == evening.now
    assert evening.seat(2 if speaking else 0).place == 1
    assert set(Seat.objects.values_list("place", flat=True)) == {1, 2, 3}


def test_an_absent_player_may_leave_too(evening: Evening) -> None:
    evening.game.seat_set.filter(number=0).update(asleep=True, missed=2)
    evening.says(0, LEAVE)
    assert (evening.seat(0).gone, evening.seat(0).asleep) == (True, False)


def test_who_left_no_longer_sits_there(evening: Evening, bob: User) -> None:
    evening.says(1, LEAVE)
    assert not queries.seats_in_progress(bob).exists()


def test_leaving_everything_ends_games_and_frees_seats(
    evening: Evening, alice: User, bob: User
) -> None:
    other = dealt(alice, bob, hands=HANDS[:2])
    before_start.leave_everything(bob, now=evening.now)
    assert evening.seat(1).gone
    assert other.game.status == Game.Status.FINISHED
