"""A move that is refused says why, and changes nothing."""

from __future__ import annotations

from functools import partial

import pytest

from accounts.models import User
from games.play import before_start, commands
from tests.support.cases import untouched
from tests.support.fast_games import START, finished_game, open_table
from tests.support.game_driver import (
    CALZA,
    CONFIRM,
    DUDO,
    LEAVE,
    GameDriver,
    bid,
    deal_game,
    refusal_of,
)

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


@pytest.fixture
def driver(alice: User, bob: User, charlie: User) -> GameDriver:
    return deal_game(alice, bob, charlie, hands=HANDS, calza="on")


def test_a_move_before_the_game_is_refused(alice: User, bob: User) -> None:
    code = open_table(alice, bob).code
    assert refusal_of(lambda: commands.move(code, 0, DUDO, seen=None, now=START)) == "not_playing"


def test_a_seat_beyond_a_gap_is_refused_like_any_other(
    alice: User, bob: User, charlie: User
) -> None:
    code = open_table(alice, bob, charlie).code
    before_start.stand(code, bob, now=START)
    assert refusal_of(lambda: commands.move(code, 2, DUDO, seen=None, now=START)) == "not_playing"
    assert refusal_of(lambda: commands.come_back(code, 2, now=START)) == "not_playing"


def test_a_move_after_the_game_is_refused(alice: User, bob: User) -> None:
    over = GameDriver(finished_game(alice, bob))
    assert refusal_of(lambda: over.move(0, CONFIRM)) == "not_playing"
    assert refusal_of(lambda: over.come_back(0)) == "not_playing"


def test_a_move_about_an_older_bid_is_refused(driver: GameDriver) -> None:
    seen = driver.game.seq
    driver.move(0, bid("2x3"))
    assert refusal_of(lambda: driver.move(1, bid("3x3"), seen=seen)) == "stale"
    assert refusal_of(lambda: driver.move(2, CALZA, seen=seen)) == "stale"


def test_a_move_from_the_future_is_refused(driver: GameDriver) -> None:
    assert refusal_of(lambda: driver.move(0, bid("2x3"), seen=driver.game.seq + 1)) == "stale"


def test_an_aside_does_not_make_the_screen_of_the_player_on_turn_stale(
    driver: GameDriver,
) -> None:
    driver.move(0, bid("2x3"))
    seen = driver.game.seq
    driver.move(2, LEAVE)
    driver.move(1, bid("3x3"), seen=seen)
    assert driver.state.last_bid == bid("3x3")


def test_the_next_player_may_not_cut_off_a_calza(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    assert refusal_of(lambda: driver.move(1, bid("3x3"), after=1.4)) == "too_soon"
    assert refusal_of(lambda: driver.move(1, DUDO, after=1.4)) == "too_soon"
    driver.move(1, bid("3x3"), after=1.5)


def test_others_may_call_calza_at_once(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(2, CALZA, after=0.1)
    assert driver.state.claims == (2,)


def test_the_rules_refuse_with_their_own_reason(
    driver: GameDriver, subtests: pytest.Subtests
) -> None:
    for number, move, code in [
        (1, bid("3x3"), "not_your_turn"),
        (0, bid("2x4"), "count_too_low"),
        (0, bid("1xP"), None),
        (0, bid("99x3"), "bad_count"),
        (0, bid("3x5"), "both_raised"),
        (0, CONFIRM, "nothing_to_confirm"),
        (2, CALZA, "own_bid"),
        (2, DUDO, "not_your_turn"),
    ]:
        with subtests.test(number=number, move=move), untouched():
            for speaker in range(3):
                driver.move(speaker, bid(f"{speaker + 1}x3") if speaker < 2 else bid("2x4"))
            if code is None:
                driver.move(number, move)
            else:
                assert refusal_of(partial(driver.move, number, move)) == code


def test_a_player_who_left_is_told_so_even_when_a_bot_could_play_for_them(
    driver: GameDriver,
) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, LEAVE)
    assert refusal_of(lambda: driver.move(1, DUDO)) == "already_left"
    assert refusal_of(lambda: driver.move(1, LEAVE)) == "already_left"
    assert refusal_of(lambda: driver.come_back(1)) == "already_left"


def test_a_refused_move_wakes_nobody_up(driver: GameDriver) -> None:
    driver.seat(1)
    driver.run_due()
    assert driver.seat(0).missed == 1
    assert refusal_of(lambda: driver.move(0, DUDO)) == "not_your_turn"
    assert driver.seat(0).missed == 1
