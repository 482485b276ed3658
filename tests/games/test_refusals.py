"""A move that is refused says why, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from games.play import before_start, commands
from tests.games.evening import CALZA, CONFIRM, DUDO, LEAVE, Evening, bid, dealt, refused
from tests.games.playing import EVENING, finished_game, open_table

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


@pytest.fixture
def evening(alice: User, bob: User, charlie: User) -> Evening:
    return dealt(alice, bob, charlie, hands=HANDS, calza="on")


def test_a_move_before_the_game_is_refused(alice: User, bob: User) -> None:
    code = open_table(alice, bob).code
    assert refused(lambda: commands.move(code, 0, DUDO, seen=None, now=EVENING)) == "not_playing"


def test_a_seat_beyond_a_gap_is_refused_like_any_other(
    alice: User, bob: User, charlie: User
) -> None:
    code = open_table(alice, bob, charlie).code
    before_start.stand(code, bob, now=EVENING)
    assert refused(lambda: commands.move(code, 2, DUDO, seen=None, now=EVENING)) == "not_playing"
    assert refused(lambda: commands.come_back(code, 2, now=EVENING)) == "not_playing"


def test_a_move_after_the_game_is_refused(alice: User, bob: User) -> None:
    over = Evening(finished_game(alice, bob))
    assert refused(lambda: over.says(0, CONFIRM)) == "not_playing"
    assert refused(lambda: over.comes_back(0)) == "not_playing"


def test_a_move_about_an_older_bid_is_refused(evening: Evening) -> None:
    seen = evening.game.seq
    evening.says(0, bid("2x3"))
    assert refused(lambda: evening.says(1, bid("3x3"), seen=seen)) == "stale"
    assert refused(lambda: evening.says(2, CALZA, seen=seen)) == "stale"


def test_a_move_from_the_future_is_refused(evening: Evening) -> None:
    assert refused(lambda: evening.says(0, bid("2x3"), seen=evening.game.seq + 1)) == "stale"


def test_an_aside_does_not_make_the_screen_of_the_player_on_turn_stale(
    evening: Evening,
) -> None:
    evening.says(0, bid("2x3"))
    seen = evening.game.seq
    evening.says(2, LEAVE)
    evening.says(1, bid("3x3"), seen=seen)
    assert evening.state.last_bid == bid("3x3")


def test_the_next_player_may_not_cut_off_a_calza(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    assert refused(lambda: evening.says(1, bid("3x3"), after=1.4)) == "too_soon"
    assert refused(lambda: evening.says(1, DUDO, after=1.4)) == "too_soon"
    evening.says(1, bid("3x3"), after=1.5)


def test_others_may_call_calza_at_once(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(2, CALZA, after=0.1)
    assert evening.state.claims == (2,)


@pytest.mark.parametrize(
    ("number", "move", "code"),
    [
        (1, bid("3x3"), "not_your_turn"),
        (0, bid("2x4"), "count_too_low"),
        (0, bid("1xP"), None),
        (0, bid("99x3"), "bad_count"),
        (0, bid("3x5"), "both_raised"),
        (0, CONFIRM, "nothing_to_confirm"),
        (2, CALZA, "own_bid"),
        (2, DUDO, "not_your_turn"),
    ],
)
def test_the_rules_refuse_with_their_own_reason(
    evening: Evening, number: int, move: Any, code: str | None
) -> None:
    for speaker in range(3):
        evening.says(speaker, bid(f"{speaker + 1}x3") if speaker < 2 else bid("2x4"))
    if code is None:
        evening.says(number, move)
    else:
        assert refused(lambda: evening.says(number, move)) == code


def test_a_player_who_left_is_told_so_even_when_a_bot_could_play_for_them(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, LEAVE)
    assert refused(lambda: evening.says(1, DUDO)) == "already_left"
    assert refused(lambda: evening.says(1, LEAVE)) == "already_left"
    assert refused(lambda: evening.comes_back(1)) == "already_left"


def test_a_refused_move_wakes_nobody_up(evening: Evening) -> None:
    evening.seat(1)
    evening.clock_strikes()
    assert evening.seat(0).missed == 1
    assert refused(lambda: evening.says(0, DUDO)) == "not_your_turn"
    assert evening.seat(0).missed == 1
