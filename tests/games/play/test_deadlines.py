"""The time of a turn: what people are shown, when it is checked, who is absent or comes back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.models import Game
from games.perudo import pace
from games.play import commands, deadlines
from tests.support.fast_games import START, open_table
from tests.support.game_driver import (
    CALZA,
    CONFIRM,
    DUDO,
    LEAVE,
    GameDriver,
    all_rows,
    bid,
    deal_game,
)

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


@pytest.fixture
def driver(alice: User, bob: User, charlie: User) -> GameDriver:
    """Three people, forty-five seconds a turn, no calza."""
    return deal_game(alice, bob, charlie, hands=HANDS)


@pytest.fixture
def calza(alice: User, bob: User, charlie: User) -> GameDriver:
    return deal_game(alice, bob, charlie, hands=HANDS, calza="on")


# --- the times of every phase: opens, turn ends, due ---------------------------------------------


def test_a_turn_lasts_as_long_as_the_table_says(driver: GameDriver) -> None:
    assert driver.times == (None, 45, 45)
    driver.move(0, bid("2x3"))
    assert driver.times == (None, 45, 45)


def test_after_a_bid_calza_comes_first_and_the_turn_is_no_shorter_for_it(calza: GameDriver) -> None:
    calza.move(0, bid("2x3"))
    assert calza.times == (1.5, 46.5, 46.5)


DAY = 24 * 3600.0


def test_a_table_without_a_clock_shows_none_and_waits_for_a_day(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2], turn_seconds=None)
    assert driver.times == (None, None, DAY)


def test_without_a_clock_bots_are_still_asked_whether_they_interrupt(
    alice: User, bob: User
) -> None:
    driver = deal_game(
        alice, bob, "steady", hands=((2, 2, 2, 2, 2), (3,) * 5, (4,) * 5),
        calza="on", turn_seconds=None,
    )  # fmt: skip
    driver.move(0, bid("9x2"))
    assert driver.times == (1.5, None, 0.75)
    driver.run_due(rolls=None)
    assert driver.times == (0.75, None, DAY + 0.75)
    assert driver.state.phase == "turn"


def test_claims_are_collected_for_an_instant(calza: GameDriver) -> None:
    calza.move(0, bid("2x3"))
    calza.move(2, CALZA, after=1)
    assert calza.times == (None, 0.3, 0.3)


def shown(driver: GameDriver) -> float:
    """How long the page animates the reveal on the table, in seconds."""
    return pace.reveal_ms(driver.state) / 1_000


def test_a_reveal_takes_its_animation_and_three_seconds(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    assert driver.state.result.count == 4
    assert driver.times == (None, *[pytest.approx(shown(driver) + 3)] * 2)


def test_after_its_time_a_reveal_goes_on_though_nobody_has_tapped(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    driver.run_due(rolls=None)
    assert (driver.state.phase, driver.state.number) == ("turn", 2)
    assert [driver.seat(number).missed for number in range(3)] == [0, 0, 0]


def test_one_slow_reader_does_not_hold_the_others_longer(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    left = shown(driver) + 3 - 5
    driver.move(2, CONFIRM, after=4)
    driver.move(1, CONFIRM, after=1)
    assert driver.state.phase == "reveal"
    assert driver.times == (None, pytest.approx(left), pytest.approx(left))


def test_a_reveal_goes_on_as_soon_as_everybody_has_tapped(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    driver.move(2, CONFIRM, after=1)
    driver.move(1, CONFIRM, after=0.5)
    driver.move(0, CONFIRM, after=0.5, rolls=[2] * 14)
    assert (driver.state.phase, driver.state.number) == ("turn", 2)


def test_a_reveal_goes_on_by_itself_at_a_table_without_a_clock_too(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2], turn_seconds=None)
    driver.move(0, bid("9x3"))
    driver.move(1, DUDO)
    driver.run_due(rolls=None)
    assert (driver.state.phase, driver.state.number) == ("turn", 2)


def test_bots_alone_do_not_show_a_result_as_long_as_a_patient_site_shows_it_to_people(
    alice: User, bob: User, settings: Any
) -> None:
    settings.REVEAL_SECONDS = 60
    driver = deal_game(alice, "steady", "steady", hands=HANDS)
    driver.move(0, bid("9x3"))
    driver.hand_to_bots(0)
    driver.run_due(rolls=None)
    assert driver.state.phase == "reveal"
    assert driver.times[2] == pytest.approx(shown(driver) + deadlines.BOTS_LOOK_SECONDS)


def test_leaving_does_not_keep_the_cups_up_longer(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    left = shown(driver) + 3 - 4
    driver.move(2, LEAVE, after=4)
    assert driver.times == (None, pytest.approx(left), pytest.approx(left))


def test_a_game_that_is_over_waits_for_nothing(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    driver.move(0, LEAVE)
    assert driver.game.status == Game.Status.FINISHED
    assert driver.times == (None, None, None)


# --- who does not come ---------------------------------------------------------------------------


def test_the_timeout_opens_with_one_die_of_the_commonest_value(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=((2, 3, 3, 5, 6), (2,) * 5))
    driver.run_due()
    assert driver.state.bids == ((0, bid("1x3")),)


def test_the_timeout_calls_dudo_on_a_bid(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.run_due()
    assert driver.state.result.call == "dudo" and driver.state.result.caller == 1


def test_before_its_time_the_clock_does_nothing(driver: GameDriver) -> None:
    before = all_rows()
    commands.play_due(driver.code, now=driver.now + timedelta(seconds=44.9))
    assert all_rows() == before


def test_who_misses_one_turn_is_still_awake(driver: GameDriver) -> None:
    driver.run_due()
    assert (driver.seat(0).missed, driver.seat(0).asleep) == (1, False)


@pytest.fixture
def asleep(alice: User, bob: User) -> GameDriver:
    """Alice has missed two turns in a row; her stand-in is about to open."""
    driver = deal_game(alice, bob, hands=((2, 3, 3, 5, 6), (2,) * 5))
    driver.run_due()  # alice opens 1x3
    driver.move(1, bid("2x3"))
    driver.run_due()  # alice doubts: there are two threes, she loses a die
    driver.move(1, CONFIRM, rolls=(2, 3, 3, 5, 6, 6, 6, 6, 6))
    return driver


def test_two_missed_turns_in_a_row_put_a_seat_to_sleep(asleep: GameDriver) -> None:
    assert (asleep.seat(0).missed, asleep.seat(0).asleep) == (2, True)


def test_nobody_waits_for_an_absent_player(asleep: GameDriver) -> None:
    assert asleep.state.number == 2, "bob alone had to look at the dice"
    assert asleep.state.turn == 0
    assert asleep.times == (None, 1.2, 1.2)


def test_a_bot_plays_for_the_absent_player_and_counts_no_more_missed_turns(
    asleep: GameDriver,
) -> None:
    asleep.run_due(rolls=None)
    assert asleep.state.bidder == 0
    assert asleep.seat(0).missed == 2


def test_a_player_who_comes_back_on_their_turn_gets_the_whole_time(asleep: GameDriver) -> None:
    seen = asleep.game.seq
    asleep.come_back(0, after=1)
    assert (asleep.seat(0).missed, asleep.seat(0).asleep) == (0, False)
    assert asleep.times == (None, 45, 45)
    asleep.move(0, bid("1x3"), seen=seen)


def test_who_comes_back_out_of_turn_changes_nobodys_time(asleep: GameDriver) -> None:
    asleep.run_due(rolls=None)
    turn_ends_at = asleep.game.turn_ends_at
    asleep.come_back(0)
    assert not asleep.seat(0).asleep
    assert asleep.game.turn_ends_at == turn_ends_at


def test_coming_back_shows_on_every_screen(asleep: GameDriver) -> None:
    seq = asleep.game.seq
    asleep.come_back(0)
    assert asleep.game.seq == seq + 1


def test_coming_back_awake_changes_nothing(driver: GameDriver) -> None:
    before = all_rows()
    driver.come_back(0)
    assert all_rows() == before


def test_a_move_of_their_own_brings_an_absent_player_back(asleep: GameDriver) -> None:
    asleep.move(0, bid("1x3"), after=1)
    assert (asleep.seat(0).missed, asleep.seat(0).asleep) == (0, False)


def test_missed_turns_count_in_a_row_only(driver: GameDriver) -> None:
    driver.run_due()  # 1x2
    driver.move(1, bid("2x2"))
    driver.move(2, bid("2x4"))
    driver.move(0, bid("3x4"))
    assert driver.seat(0).missed == 0


# --- after a downtime ----------------------------------------------------------------------------


def test_downtime_of_the_site_costs_players_no_time(driver: GameDriver) -> None:
    driver.now += timedelta(hours=3)
    commands.give_back(driver.code, lost=timedelta(hours=3), now=driver.now)
    assert driver.times == (None, 45, 45)


def test_people_get_the_time_back_to_look_at_a_result(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    driver.now += timedelta(hours=3)
    commands.give_back(driver.code, lost=timedelta(hours=3), now=driver.now)
    assert driver.times == (None, *[pytest.approx(shown(driver) + 3)] * 2)


def test_a_claim_made_before_the_downtime_is_settled_after_it(calza: GameDriver) -> None:
    calza.move(0, bid("2x3"))
    calza.move(2, CALZA, after=1)
    before = all_rows()
    lost = timedelta(hours=3)
    commands.give_back(calza.code, lost=lost, now=calza.now + lost)
    assert all_rows() == before
    calza.run_due()
    assert calza.state.result.caller == 2


def test_an_open_table_has_no_turn_to_give_back(alice: User, bob: User) -> None:
    code = open_table(alice, bob).code
    before = all_rows()
    commands.give_back(code, lost=timedelta(days=1), now=START + timedelta(days=1))
    assert all_rows() == before


def test_a_table_set_aside_is_looked_at_later_unless_it_moved_on(driver: GameDriver) -> None:
    due = driver.now + timedelta(seconds=45)
    later = due + timedelta(minutes=1)
    commands.set_aside(driver.code, now=due - timedelta(seconds=1), until=later)
    assert driver.game.due_at == due
    commands.set_aside(driver.code, now=due, until=later)
    assert driver.game.due_at == later


def test_a_table_set_aside_goes_on_afterwards(driver: GameDriver) -> None:
    due = driver.game.due_at
    assert due
    commands.set_aside(driver.code, now=due, until=due + timedelta(minutes=1))
    driver.run_due()
    assert driver.state.bidder == 0
