"""Leaving a running game: the dice stay until the round ends, the others play on."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.models import Game, Seat
from games.play import before_start
from games.store import queries
from tests.support.game_driver import CONFIRM, DUDO, LEAVE, GameDriver, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


@pytest.fixture
def driver(alice: User, bob: User, charlie: User) -> GameDriver:
    return deal_game(alice, bob, charlie, hands=HANDS)


def test_who_leaves_out_of_turn_keeps_nobody_waiting(driver: GameDriver) -> None:
    driver.move(2, LEAVE)
    assert driver.seat(2).gone
    assert driver.times == (None, 40, 40), "the turn of another goes on as it was"
    assert driver.state.dice == (5, 5, 5)


def test_leaving_on_your_turn_makes_the_automatic_move_at_once(driver: GameDriver) -> None:
    driver.move(0, LEAVE)
    assert driver.times == (None, 1.2, 1.2)
    driver.run_due()
    assert driver.state.bids == ((0, bid("1x2")),)


def test_a_seat_that_left_moves_automatically_when_its_turn_comes(driver: GameDriver) -> None:
    driver.move(1, LEAVE)
    driver.move(0, bid("2x3"))
    assert driver.times == (None, 1.2, 1.2)
    driver.run_due()
    assert driver.state.result.caller == 1
    assert driver.seat(1).missed == 0


def test_who_left_is_out_when_the_round_ends(driver: GameDriver) -> None:
    driver.move(2, LEAVE)
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    assert driver.state.out == (2,)
    assert driver.state.phase == "reveal"


def test_nobody_waits_for_a_look_of_who_left(driver: GameDriver) -> None:
    driver.move(2, LEAVE)
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    driver.move(0, CONFIRM)
    driver.move(1, CONFIRM, rolls=[2] * 9)
    assert (driver.state.phase, driver.state.active) == ("turn", (0, 1))


def test_who_leaves_while_the_cups_are_up_is_out_at_once(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    driver.move(2, LEAVE)
    assert (driver.state.phase, driver.state.out) == ("reveal", (2,))


def test_the_round_goes_on_when_the_last_who_looked_has_left(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    driver.move(0, CONFIRM)
    driver.move(1, CONFIRM)
    driver.move(2, LEAVE, rolls=[2] * 9)
    assert (driver.state.phase, driver.state.number) == ("turn", 2)
    assert driver.times == (None, 45, 45)


@pytest.mark.parametrize("speaking", [True, False])
def test_the_last_person_to_stay_wins(driver: GameDriver, speaking: bool) -> None:
    driver.move(1, LEAVE)
    driver.move(0 if speaking else 2, LEAVE)
    game = driver.game
    assert game.status == Game.Status.FINISHED and game.finished_at == driver.now
    assert driver.seat(2 if speaking else 0).place == 1
    assert set(Seat.objects.values_list("place", flat=True)) == {1, 2, 3}


def test_an_absent_player_may_leave_too(driver: GameDriver) -> None:
    driver.game.seat_set.filter(number=0).update(asleep=True, missed=2)
    driver.move(0, LEAVE)
    assert (driver.seat(0).gone, driver.seat(0).asleep) == (True, False)


def test_who_left_no_longer_sits_there(driver: GameDriver, bob: User) -> None:
    driver.move(1, LEAVE)
    assert not queries.seats_in_progress(bob).exists()


def test_leaving_everything_ends_games_and_frees_seats(
    driver: GameDriver, alice: User, bob: User
) -> None:
    other = deal_game(alice, bob, hands=HANDS[:2])
    before_start.leave_everything(bob, now=driver.now)
    assert driver.seat(1).gone
    assert other.game.status == Game.Status.FINISHED
