"""Leaving, and what the clock plays for those who do nothing: our own choices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.core.contract import Sealed
from games.rules.contract import Outcome
from games.rules.perudo.allow import due_moves, leave_move, legal_moves, timeout_move, to_act
from games.rules.perudo.bids import Bid
from games.rules.perudo.decide import decide
from games.rules.perudo.events import Eliminated, Left, RevealSeen
from games.rules.perudo.moves import Calza, Confirm, Dudo, Leave, SettleClaims
from games.rules.perudo.state import outcome
from tests.rules.tables import ANY_DICE, after, next_round, refusal, table

FOUR = [[2, 2, 2], [3, 3, 3], [4, 4, 4], [5, 5, 5]]


# --- leaving -------------------------------------------------------------------------------------


def test_a_leaver_keeps_his_dice_on_the_table_until_the_round_ends() -> None:
    state = after(table(FOUR, bid="3x3", bidder=0), (3, Leave()))
    assert state.dice == (3, 3, 3, 3)
    assert state.gone == (3,)
    state = after(state, (1, Dudo()))
    assert state.result is not None
    assert state.result.eliminated == (3,)
    assert state.dice == (3, 2, 3, 0)


def test_anybody_may_leave_at_any_moment() -> None:
    bidding = table(FOUR, bid="1x2", calza="on")
    claims = after(bidding, (2, Calza()))
    reveal = after(bidding, (1, Dudo()))
    for state in (bidding, claims, reveal):
        assert [refusal(state, seat, leave_move()) for seat in range(4)] == [None] * 4


def test_a_leaver_in_the_reveal_is_out_at_once() -> None:
    state = after(table(FOUR, bid="9x2"), (1, Dudo()))
    assert decide(state, 2, Leave(), ANY_DICE) == [Left(2), Eliminated(2)]


def test_the_others_do_not_wait_for_a_leaver_to_look() -> None:
    state = after(table(FOUR, bid="9x2"), (1, Dudo()), *((s, Confirm()) for s in (0, 1, 2)))
    state = after(state, (3, Leave()))
    assert (state.phase, state.number, state.active) == ("turn", 2, (0, 1, 2))


def test_when_the_opener_to_be_leaves_the_seat_to_his_left_opens() -> None:
    """P22."""
    state = after(table(FOUR, bid="9x2"), (1, Dudo()), (0, Leave()))
    assert next_round(state).opener == 1


def test_the_last_who_stays_wins_at_once() -> None:
    state = after(table(FOUR, bid="1x2"), (3, Leave()), (0, Leave()))
    assert state.phase == "turn"
    state = after(state, (1, Leave()))
    assert outcome(state) == Outcome(ranking=(2, 1, 0, 3), reason="others_left")


def test_a_game_ends_by_leaving_though_the_leaver_had_just_lost_a_die() -> None:
    state = after(table([[2, 2], [3, 3]], bid="9x2"), (1, Dudo()), (0, Leave()))
    assert outcome(state) == Outcome(ranking=(1, 0), reason="others_left")


def test_leavers_rank_behind_those_who_stayed_longer() -> None:
    state = after(table([[2], [3, 3], [4, 4]], bid="9x2"), (2, Leave()), (1, Dudo()))
    assert outcome(state) == Outcome(ranking=(1, 2, 0), reason="others_left")


def test_a_game_that_dice_decided_says_so_though_somebody_left_before() -> None:
    state = after(table([[2], [3, 3], [4, 4]], bid="9x4", bidder=2), (2, Leave()), (0, Dudo()))
    state = after(next_round(state), (0, Bid(9, 2)), (1, Dudo()))
    assert outcome(state) == Outcome(ranking=(1, 0, 2), reason="last_with_dice")


def test_two_who_go_out_in_the_same_round_are_both_told_with_it() -> None:
    """The one who lost the last die goes out before the one who had left."""
    state = after(table([[2], [3, 3], [4, 4], [5]], bid="9x2"), (2, Leave()), (1, Dudo()))
    assert state.result is not None
    assert state.result.eliminated == (0, 2)
    assert state.out == (0, 2)


def test_who_leaves_after_a_claim_is_told_that_and_not_that_it_was_made() -> None:
    state = after(table(FOUR, bid="1x2", calza="on"), (2, Calza()), (2, Leave()))
    assert refusal(state, 2, Calza()) == "already_left"


def test_who_left_has_no_say_any_more() -> None:
    state = after(table(FOUR, bid="1x2", calza="on"), (1, Leave()), (3, Leave()))
    assert to_act(state) == (1, 2)
    assert refusal(state, 1, Bid(2, 2)) == "already_left"
    assert refusal(state, 1, Leave()) == "already_left"
    assert refusal(state, 1, Calza()) == "already_left"
    assert refusal(state, 3, Calza()) == "already_left"
    assert legal_moves(state, 3) == []


def test_who_left_stays_gone_after_the_round() -> None:
    state = next_round(after(table(FOUR, bid="9x2"), (3, Leave()), (1, Dudo())))
    assert refusal(state, 3, Leave()) == "already_left"
    assert to_act(state) == (0,)


def test_the_clock_still_speaks_for_a_leaver_so_that_the_round_can_end() -> None:
    state = after(table(FOUR, bid="1x2"), (1, Leave()))
    assert legal_moves(state, 1) == [Dudo()]
    assert due_moves(state) == [(1, Dudo())]
    assert after(state, *due_moves(state)).phase == "reveal"


def test_an_opening_for_a_leaver_is_one_of_an_ordinary_value() -> None:
    state = after(table(FOUR), (0, Leave()))
    assert legal_moves(state, 0) == [Bid(1, face) for face in range(2, 7)]
    assert refusal(state, 0, Bid(2, 2)) == "already_left"
    assert due_moves(state) == [(0, Bid(1, 2))]


def test_who_leaves_after_looking_is_not_asked_again() -> None:
    state = after(table(FOUR, bid="9x2"), (1, Dudo()), (2, Confirm()), (2, Leave()))
    assert to_act(state) == (0, 1, 3)
    assert [fact.kind for fact in decide(state, 3, Confirm(), ANY_DICE)] == [RevealSeen.kind]


# --- the clock -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "opening"),
    [([2, 5, 5], Bid(1, 5)), ([1, 1, 6], Bid(1, 6)), ([1, 1], Bid(1, 2)), ([3, 4], Bid(1, 3))],
)
def test_the_clock_opens_with_one_of_the_commonest_ordinary_value(
    hand: list[int], opening: Bid
) -> None:
    """The palifico opener too; pacos are no ordinary value."""
    assert timeout_move(table([hand, [3, 3]]), 0) == opening
    assert timeout_move(table([hand, [3, 3]], palifico=0), 0) == opening


def test_the_clock_doubts_for_whoever_sleeps_on_a_bid() -> None:
    assert due_moves(table(FOUR, bid="1x2")) == [(1, Dudo())]


def test_the_clock_never_needs_a_hand_once_there_is_a_bid() -> None:
    state = table(FOUR, bid="1x2")
    sealed = replace(state, hands=(None,) * 4)
    assert timeout_move(sealed, 1) == Dudo()
    with pytest.raises(Sealed):
        sealed.hand(1)


def test_the_clock_settles_claims_and_confirms_for_everybody() -> None:
    claims = after(table(FOUR, bid="1x2", calza="on"), (3, Calza()))
    assert due_moves(claims) == [(3, SettleClaims())]
    reveal = after(claims, (3, SettleClaims()), (0, Confirm()))
    assert due_moves(reveal) == [(1, Confirm()), (2, Confirm()), (3, Confirm())]
    assert timeout_move(reveal, 1) == Confirm()
    assert after(reveal, *due_moves(reveal)).number == 2
