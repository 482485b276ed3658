"""Bots move only when they are due, with the same command, with what their seat knows."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.core.contract import Sealed
from games.models import Game
from games.perudo import bots, pace
from games.perudo.rules.state import State
from games.play import commands
from games.store import event_log
from tests.support.cases import untouched
from tests.support.game_driver import (
    CALZA,
    CONFIRM,
    DUDO,
    LEAVE,
    GameDriver,
    all_rows,
    bid,
    deal_game,
    hand_to_bots_now,
)

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))
Plays = Callable[[Any], None]


@pytest.fixture
def every_bot(monkeypatch: pytest.MonkeyPatch) -> Plays:
    """Makes every steady bot do one thing, to see how the table takes it."""

    def does(what: Any) -> None:
        bot = what if callable(what) else lambda state, seat, chance: what
        monkeypatch.setitem(bots.BOTS, "steady", bot)

    return does


def test_a_bot_takes_a_moment_to_think(alice: User) -> None:
    driver = deal_game(alice, "steady", hands=HANDS[:2], opener=1)
    assert driver.times == (None, 1.2, 1.2)
    before = all_rows()
    commands.play_due(driver.code, now=driver.now + timedelta(seconds=1.1))
    assert all_rows() == before
    driver.run_due(rolls=None)
    assert driver.state.bidder == 1


def test_a_bot_waits_until_others_had_their_chance_of_a_calza(alice: User, bob: User) -> None:
    driver = deal_game(alice, "steady", bob, hands=HANDS, calza="on")
    driver.move(0, bid("2x3"))
    opens, ends, _ = driver.times
    assert (opens, ends) == (1.5, 1.5)


def test_a_bot_is_given_what_its_seat_knows_and_nothing_else(
    alice: User, bob: User, every_bot: Plays
) -> None:
    asked: list[tuple[State, int]] = []

    def listens(state: State, seat: int, chance: Any) -> Any:
        asked.append((state, seat))
        return bid("1x3")

    every_bot(listens)
    driver = deal_game(alice, "steady", bob, hands=HANDS, opener=1)
    driver.run_due()
    [(state, seat)] = asked
    assert (seat, state.hands) == (1, (None, HANDS[1], None))
    with pytest.raises(Sealed):
        state.hand(0)


def test_a_bot_that_raises_gets_the_timeout_move(
    alice: User, every_bot: Plays, caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests
) -> None:
    for nonsense in [bid("99x3"), CALZA, CONFIRM, LEAVE, None]:
        with subtests.test(nonsense=nonsense), untouched():
            every_bot(nonsense)
            driver = deal_game(alice, "steady", hands=HANDS[:2], opener=1)
            with caplog.at_level(logging.ERROR, logger="games.play.autoplay"):
                driver.run_due()
            assert driver.state.bids == ((1, bid("1x2")),)
            assert driver.code in caplog.text and "2, 2, 5" not in caplog.text


# --- out of turn ---------------------------------------------------------------------------------


def a_table_with_a_bot_out_of_turn(alice: User, bob: User, **table: Any) -> GameDriver:
    driver = deal_game(alice, bob, "steady", hands=HANDS, calza="on", **table)
    driver.move(0, bid("2x3"))
    return driver


def test_bots_are_asked_for_a_calza_half_way_through_the_delay(alice: User, bob: User) -> None:
    driver = a_table_with_a_bot_out_of_turn(alice, bob)
    assert driver.times == (1.5, 46.5, 0.75)


def test_a_bot_may_call_calza_out_of_turn(alice: User, bob: User, every_bot: Plays) -> None:
    every_bot(CALZA)
    driver = a_table_with_a_bot_out_of_turn(alice, bob)
    driver.run_due()
    assert driver.state.claims == (2,)
    assert driver.times == (None, 0.3, 0.3)


def test_a_bot_with_nothing_to_say_leaves_the_turn_its_time(
    alice: User, bob: User, every_bot: Plays
) -> None:
    every_bot(None)
    driver = a_table_with_a_bot_out_of_turn(alice, bob)
    seq = driver.game.seq
    driver.run_due()
    assert driver.times == (0.75, 45.75, 45.75)
    assert driver.game.seq == seq, "nobody is told that a bot has thought"


def test_a_bot_cannot_do_anything_else_out_of_turn(
    alice: User, bob: User, every_bot: Plays, subtests: pytest.Subtests
) -> None:
    for nonsense in [bid("5x3"), DUDO, LEAVE]:
        with subtests.test(nonsense=nonsense), untouched():
            every_bot(nonsense)
            driver = a_table_with_a_bot_out_of_turn(alice, bob)
            kinds = driver.kinds
            driver.run_due()
            assert driver.kinds == kinds


def test_a_bot_that_thought_too_long_does_not_undo_what_was_played_meanwhile(
    alice: User, bob: User, every_bot: Plays
) -> None:
    """As two processes would: the clock of one decides on a game that the other has moved on."""
    every_bot(None)
    driver = a_table_with_a_bot_out_of_turn(alice, bob)
    old = driver.game
    driver.move(1, bid("3x3"))
    due = driver.game.due_at
    commands._postpone(old, list(old.seat_set.order_by("number")), driver.state)
    assert driver.game.due_at == due


def test_an_absent_player_never_interrupts(alice: User, bob: User, charlie: User) -> None:
    driver = deal_game(alice, bob, charlie, hands=HANDS, calza="on")
    driver.game.seat_set.filter(number=2).update(asleep=True)
    driver.move(0, bid("2x3"))
    assert driver.times == (1.5, 46.5, 46.5)


# --- the reveal ----------------------------------------------------------------------------------


def test_bots_do_not_keep_the_cups_up(alice: User) -> None:
    driver = deal_game(alice, "steady", "steady", hands=HANDS)
    driver.move(0, bid("9x3"))
    driver.run_due(rolls=None)  # the bot doubts
    assert driver.state.phase == "reveal"
    driver.move(0, CONFIRM, rolls=[2] * 14)
    assert driver.state.number == 2


def test_when_only_bots_are_left_to_look_the_cups_come_down_soon(alice: User, bob: User) -> None:
    driver = deal_game(alice, "steady", "steady", hands=HANDS)
    hand_to_bots_now(driver, 0)
    driver.run_due(rolls=None)  # a bot opens for the absent player
    while driver.state.phase == "turn":
        driver.run_due(rolls=None)
    shown = pace.reveal_ms(driver.state) / 1000
    assert driver.times == (None, pytest.approx(shown + 3), pytest.approx(shown + 3))
    driver.run_due(rolls=None)
    assert (driver.state.phase, driver.state.number) == ("turn", 2)


def test_when_nobody_comes_the_clock_takes_the_cups_down(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    driver.move(0, bid("9x3"))
    driver.move(1, DUDO)
    driver.run_due(rolls=[2] * 9)
    assert (driver.state.phase, driver.state.number) == ("turn", 2)
    assert [driver.seat(number).missed for number in (0, 1)] == [0, 0]


def test_bots_play_to_the_end_while_their_person_sleeps_at_the_table(alice: User) -> None:
    driver = deal_game(alice, "steady", "beginner", hands=HANDS)
    hand_to_bots_now(driver, 0)
    while driver.game.due_at is not None:
        Game.objects.update(watched_at=driver.now)
        driver.run_due(rolls=None)
    assert driver.game.status == Game.Status.FINISHED
    assert event_log.public_state(driver.game).phase == "over"
