"""The time of a turn: what people are shown, when it is checked, who is absent or comes back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.models import Game
from games.perudo import pace
from games.play import commands, deadlines
from tests.games.evening import CALZA, CONFIRM, DUDO, LEAVE, Evening, all_rows, bid, dealt
from tests.games.playing import EVENING, open_table

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


@pytest.fixture
def evening(alice: User, bob: User, charlie: User) -> Evening:
    """Three people, forty-five seconds a turn, no calza."""
    return dealt(alice, bob, charlie, hands=HANDS)


@pytest.fixture
def calza(alice: User, bob: User, charlie: User) -> Evening:
    return dealt(alice, bob, charlie, hands=HANDS, calza="on")


# --- the times of every phase: opens, turn ends, due ---------------------------------------------


def test_a_turn_lasts_as_long_as_the_table_says(evening: Evening) -> None:
    assert evening.times == (None, 45, 45)
    evening.says(0, bid("2x3"))
    assert evening.times == (None, 45, 45)


def test_after_a_bid_calza_comes_first_and_the_turn_is_no_shorter_for_it(calza: Evening) -> None:
    calza.says(0, bid("2x3"))
    assert calza.times == (1.5, 46.5, 46.5)


DAY = 24 * 3600.0


def test_a_table_without_a_clock_shows_none_and_waits_for_a_day(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS[:2], turn_seconds=None)
    assert evening.times == (None, None, DAY)


def test_without_a_clock_bots_are_still_asked_whether_they_interrupt(
    alice: User, bob: User
) -> None:
    evening = dealt(
        alice, bob, "steady", hands=((2, 2, 2, 2, 2), (3,) * 5, (4,) * 5),
        calza="on", turn_seconds=None,
    )  # fmt: skip
    evening.says(0, bid("9x2"))
    assert evening.times == (1.5, None, 0.75)
    evening.clock_strikes(rolls=None)
    assert evening.times == (0.75, None, DAY + 0.75)
    assert evening.state.phase == "turn"


def test_claims_are_collected_for_an_instant(calza: Evening) -> None:
    calza.says(0, bid("2x3"))
    calza.says(2, CALZA, after=1)
    assert calza.times == (None, 0.3, 0.3)


def shown(evening: Evening) -> float:
    """How long the page animates the reveal on the table, in seconds."""
    return pace.reveal_ms(evening.state) / 1_000


def test_a_reveal_takes_its_animation_and_three_seconds(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    assert evening.state.result.count == 4
    assert evening.times == (None, *[pytest.approx(shown(evening) + 3)] * 2)


def test_after_its_time_a_reveal_goes_on_though_nobody_has_tapped(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    evening.clock_strikes(rolls=None)
    assert (evening.state.phase, evening.state.number) == ("turn", 2)
    assert [evening.seat(number).missed for number in range(3)] == [0, 0, 0]


def test_one_slow_reader_does_not_hold_the_others_longer(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    left = shown(evening) + 3 - 5
    evening.says(2, CONFIRM, after=4)
    evening.says(1, CONFIRM, after=1)
    assert evening.state.phase == "reveal"
    assert evening.times == (None, pytest.approx(left), pytest.approx(left))


def test_a_reveal_goes_on_as_soon_as_everybody_has_tapped(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    evening.says(2, CONFIRM, after=1)
    evening.says(1, CONFIRM, after=0.5)
    evening.says(0, CONFIRM, after=0.5, rolls=[2] * 14)
    assert (evening.state.phase, evening.state.number) == ("turn", 2)


def test_a_reveal_goes_on_by_itself_at_a_table_without_a_clock_too(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS[:2], turn_seconds=None)
    evening.says(0, bid("9x3"))
    evening.says(1, DUDO)
    evening.clock_strikes(rolls=None)
    assert (evening.state.phase, evening.state.number) == ("turn", 2)


def test_bots_alone_do_not_show_a_result_as_long_as_a_patient_site_shows_it_to_people(
    alice: User, bob: User, settings: Any
) -> None:
    settings.REVEAL_SECONDS = 60
    evening = dealt(alice, "steady", "steady", hands=HANDS)
    evening.says(0, bid("9x3"))
    evening.replaced_by_bots(0)
    evening.clock_strikes(rolls=None)
    assert evening.state.phase == "reveal"
    assert evening.times[2] == pytest.approx(shown(evening) + deadlines.BOTS_LOOK_SECONDS)


def test_leaving_does_not_keep_the_cups_up_longer(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    left = shown(evening) + 3 - 4
    evening.says(2, LEAVE, after=4)
    assert evening.times == (None, pytest.approx(left), pytest.approx(left))


def test_a_game_that_is_over_waits_for_nothing(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS[:2])
    evening.says(0, LEAVE)
    assert evening.game.status == Game.Status.FINISHED
    assert evening.times == (None, None, None)


# --- who does not come ---------------------------------------------------------------------------


def test_the_timeout_opens_with_one_die_of_the_commonest_value(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=((2, 3, 3, 5, 6), (2,) * 5))
    evening.clock_strikes()
    assert evening.state.bids == ((0, bid("1x3")),)


def test_the_timeout_calls_dudo_on_a_bid(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.clock_strikes()
    assert evening.state.result.call == "dudo" and evening.state.result.caller == 1


def test_before_its_time_the_clock_does_nothing(evening: Evening) -> None:
    before = all_rows()
    commands.play_due(evening.code, now=evening.now + timedelta(seconds=44.9))
    assert all_rows() == before


def test_who_misses_one_turn_is_still_awake(evening: Evening) -> None:
    evening.clock_strikes()
    assert (evening.seat(0).missed, evening.seat(0).asleep) == (1, False)


@pytest.fixture
def asleep(alice: User, bob: User) -> Evening:
    """Alice has missed two turns in a row; her stand-in is about to open."""
    evening = dealt(alice, bob, hands=((2, 3, 3, 5, 6), (2,) * 5))
    evening.clock_strikes()  # alice opens 1x3
    evening.says(1, bid("2x3"))
    evening.clock_strikes()  # alice doubts: there are two threes, she loses a die
    evening.says(1, CONFIRM, rolls=(2, 3, 3, 5, 6, 6, 6, 6, 6))
    return evening


def test_two_missed_turns_in_a_row_put_a_seat_to_sleep(asleep: Evening) -> None:
    assert (asleep.seat(0).missed, asleep.seat(0).asleep) == (2, True)


def test_nobody_waits_for_an_absent_player(asleep: Evening) -> None:
    assert asleep.state.number == 2, "bob alone had to look at the dice"
    assert asleep.state.turn == 0
    assert asleep.times == (None, 1.2, 1.2)


def test_a_bot_plays_for_the_absent_player_and_counts_no_more_missed_turns(asleep: Evening) -> None:
    asleep.clock_strikes(rolls=None)
    assert asleep.state.bidder == 0
    assert asleep.seat(0).missed == 2


def test_a_player_who_comes_back_on_their_turn_gets_the_whole_time(asleep: Evening) -> None:
    seen = asleep.game.seq
    asleep.comes_back(0, after=1)
    assert (asleep.seat(0).missed, asleep.seat(0).asleep) == (0, False)
    assert asleep.times == (None, 45, 45)
    asleep.says(0, bid("1x3"), seen=seen)


def test_who_comes_back_out_of_turn_changes_nobodys_time(asleep: Evening) -> None:
    asleep.clock_strikes(rolls=None)
    turn_ends_at = asleep.game.turn_ends_at
    asleep.comes_back(0)
    assert not asleep.seat(0).asleep
    assert asleep.game.turn_ends_at == turn_ends_at


def test_coming_back_shows_on_every_screen(asleep: Evening) -> None:
    seq = asleep.game.seq
    asleep.comes_back(0)
    assert asleep.game.seq == seq + 1


def test_coming_back_awake_changes_nothing(evening: Evening) -> None:
    before = all_rows()
    evening.comes_back(0)
    assert all_rows() == before


def test_a_move_of_their_own_brings_an_absent_player_back(asleep: Evening) -> None:
    asleep.says(0, bid("1x3"), after=1)
    assert (asleep.seat(0).missed, asleep.seat(0).asleep) == (0, False)


def test_missed_turns_count_in_a_row_only(evening: Evening) -> None:
    evening.clock_strikes()  # 1x2
    evening.says(1, bid("2x2"))
    evening.says(2, bid("2x4"))
    evening.says(0, bid("3x4"))
    assert evening.seat(0).missed == 0


# --- after a downtime ----------------------------------------------------------------------------


def test_downtime_of_the_site_costs_players_no_time(evening: Evening) -> None:
    evening.now += timedelta(hours=3)
    commands.grant_fresh_time(evening.code, now=evening.now)
    assert evening.times == (None, 45, 45)


def test_people_get_the_whole_time_to_look_after_the_downtime(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    evening.now += timedelta(hours=3)
    commands.grant_fresh_time(evening.code, now=evening.now)
    assert evening.times == (None, *[pytest.approx(shown(evening) + 3)] * 2)


def test_a_claim_made_before_the_downtime_is_settled_after_it(calza: Evening) -> None:
    calza.says(0, bid("2x3"))
    calza.says(2, CALZA, after=1)
    before = all_rows()
    commands.grant_fresh_time(calza.code, now=calza.now + timedelta(hours=3))
    assert all_rows() == before
    calza.clock_strikes()
    assert calza.state.result.caller == 2


def test_an_open_table_has_nothing_to_forgive(alice: User, bob: User) -> None:
    code = open_table(alice, bob).code
    before = all_rows()
    commands.grant_fresh_time(code, now=EVENING + timedelta(days=1))
    assert all_rows() == before


def test_a_table_set_aside_is_looked_at_later_unless_it_moved_on(evening: Evening) -> None:
    due = evening.now + timedelta(seconds=45)
    later = due + timedelta(minutes=1)
    commands.set_aside(evening.code, now=due - timedelta(seconds=1), until=later)
    assert evening.game.due_at == due
    commands.set_aside(evening.code, now=due, until=later)
    assert evening.game.due_at == later


def test_a_table_set_aside_goes_on_afterwards(evening: Evening) -> None:
    due = evening.game.due_at
    assert due
    commands.set_aside(evening.code, now=due, until=due + timedelta(minutes=1))
    evening.clock_strikes()
    assert evening.state.bidder == 0
