"""Leaving, and the automatic moves of seats that do nothing: our own choices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.core.contract import Outcome, Sealed
from games.core.moves import Confirm, Leave
from games.perudo.rules.bids import Bid
from games.perudo.rules.decide import decide
from games.perudo.rules.events import Eliminated, Left, RevealSeen
from games.perudo.rules.moves import Calza, Dudo, SettleClaims
from games.perudo.rules.outcome import outcome
from games.perudo.rules.turns import due_moves, legal_moves, timeout_move, to_act
from games.perudo.tests.tables import ANY_DICE, after, next_round, refusal, table

FOUR = [[2, 2, 2], [3, 3, 3], [4, 4, 4], [5, 5, 5]]


# --- leaving -------------------------------------------------------------------------------------


def test_the_dice_of_a_leaver_stay_in_play_until_the_round_ends() -> None:
    state = after(table(FOUR, bid="3x3", bidder=0), (3, Leave()))
    assert state.dice == (3, 3, 3, 3)
    assert state.gone == (3,)
    state = after(state, (1, Dudo()))
    assert state.result is not None
    assert state.result.eliminated == (3,)
    assert state.dice == (3, 2, 3, 0)


def test_any_player_may_leave_at_any_time() -> None:
    bidding = table(FOUR, bid="1x2", calza="on")
    claims = after(bidding, (2, Calza()))
    reveal = after(bidding, (1, Dudo()))
    for state in (bidding, claims, reveal):
        assert [refusal(state, seat, Leave()) for seat in range(4)] == [None] * 4


def test_a_leaver_in_the_reveal_is_out_at_once() -> None:
    state = after(table(FOUR, bid="9x2"), (1, Dudo()))
    assert decide(state, 2, Leave(), ANY_DICE) == [Left(2), Eliminated(2)]


def test_the_others_do_not_wait_for_a_leaver_to_confirm() -> None:
    state = after(table(FOUR, bid="9x2"), (1, Dudo()), *((s, Confirm()) for s in (0, 1, 2)))
    state = after(state, (3, Leave()))
    assert (state.phase, state.number, state.active) == ("turn", 2, (0, 1, 2))


def test_when_the_next_opener_leaves_the_seat_after_it_opens() -> None:
    """P22."""
    state = after(table(FOUR, bid="9x2"), (1, Dudo()), (0, Leave()))
    assert next_round(state).opener == 1


def test_the_last_player_who_stays_wins_at_once() -> None:
    state = after(table(FOUR, bid="1x2"), (3, Leave()), (0, Leave()))
    assert state.phase == "turn"
    state = after(state, (1, Leave()))
    assert outcome(state) == Outcome(ranking=((2,), (1,), (0,), (3,)), reason="others_left")


def test_a_game_ends_by_leaving_though_the_leaver_had_just_lost_a_die() -> None:
    state = after(table([[2, 2], [3, 3]], bid="9x2"), (1, Dudo()), (0, Leave()))
    assert outcome(state) == Outcome(ranking=((1,), (0,)), reason="others_left")


def test_leavers_rank_behind_those_who_stayed_longer() -> None:
    state = after(table([[2], [3, 3], [4, 4]], bid="9x2"), (2, Leave()), (1, Dudo()))
    assert outcome(state) == Outcome(ranking=((1,), (2,), (0,)), reason="others_left")


def test_the_reason_is_dice_even_if_a_player_left_before() -> None:
    state = after(table([[2], [3, 3], [4, 4]], bid="9x4", bidder=2), (2, Leave()), (0, Dudo()))
    state = after(next_round(state), (0, Bid(9, 2)), (1, Dudo()))
    assert outcome(state) == Outcome(ranking=((1,), (0,), (2,)), reason="last_with_dice")


def test_a_round_names_both_seats_that_go_out_in_it() -> None:
    """The one who lost the last die goes out before the one who had left."""
    state = after(table([[2], [3, 3], [4, 4], [5]], bid="9x2"), (2, Leave()), (1, Dudo()))
    assert state.result is not None
    assert state.result.eliminated == (0, 2)
    assert state.out == (0, 2)


def test_a_claim_after_leaving_is_refused_for_leaving() -> None:
    state = after(table(FOUR, bid="1x2", calza="on"), (2, Calza()), (2, Leave()))
    assert refusal(state, 2, Calza()) == "already_left"


def test_a_seat_that_left_cannot_move() -> None:
    state = after(table(FOUR, bid="1x2", calza="on"), (1, Leave()), (3, Leave()))
    assert to_act(state) == (1, 2)
    assert refusal(state, 1, Bid(2, 2)) == "already_left"
    assert refusal(state, 1, Leave()) == "already_left"
    assert refusal(state, 1, Calza()) == "already_left"
    assert refusal(state, 3, Calza()) == "already_left"
    assert legal_moves(state, 3) == []


def test_a_seat_that_left_stays_gone_after_the_round() -> None:
    state = next_round(after(table(FOUR, bid="9x2"), (3, Leave()), (1, Dudo())))
    assert refusal(state, 3, Leave()) == "already_left"
    assert to_act(state) == (0,)


def test_turns_of_a_leaver_are_played_so_that_the_round_can_end() -> None:
    state = after(table(FOUR, bid="1x2"), (1, Leave()))
    assert legal_moves(state, 1) == [Dudo()]
    assert due_moves(state) == [(1, Dudo())]
    assert after(state, *due_moves(state)).phase == "reveal"


def test_an_opening_for_a_leaver_is_one_of_an_ordinary_value() -> None:
    state = after(table(FOUR), (0, Leave()))
    assert legal_moves(state, 0) == [Bid(1, face) for face in range(2, 7)]
    assert refusal(state, 0, Bid(2, 2)) == "already_left"
    assert due_moves(state) == [(0, Bid(1, 2))]


def test_a_leaver_who_confirmed_is_not_asked_again() -> None:
    state = after(table(FOUR, bid="9x2"), (1, Dudo()), (2, Confirm()), (2, Leave()))
    assert to_act(state) == (0, 1, 3)
    assert [fact.kind for fact in decide(state, 3, Confirm(), ANY_DICE)] == [RevealSeen.kind]


# --- the scheduler -------------------------------------------------------------------------------


def test_at_the_time_limit_one_of_the_commonest_ordinary_value_is_bid() -> None:
    """The palifico opener too; pacos are no ordinary value."""
    opening = {(2, 5, 5): Bid(1, 5), (1, 1, 6): Bid(1, 6), (1, 1): Bid(1, 2), (3, 4): Bid(1, 3)}
    for palifico in (None, 0):
        tables = {hand: table([hand, [3, 3]], palifico=palifico) for hand in opening}
        assert {hand: timeout_move(each, 0) for hand, each in tables.items()} == opening


def test_at_the_time_limit_a_bid_is_doubted() -> None:
    assert due_moves(table(FOUR, bid="1x2")) == [(1, Dudo())]


def test_the_time_limit_needs_no_hand_once_there_is_a_bid() -> None:
    state = table(FOUR, bid="1x2")
    sealed = replace(state, hands=(None,) * 4)
    assert timeout_move(sealed, 1) == Dudo()
    with pytest.raises(Sealed):
        sealed.hand(1)


def test_at_the_time_limit_claims_are_settled_and_reveals_confirmed() -> None:
    claims = after(table(FOUR, bid="1x2", calza="on"), (3, Calza()))
    assert due_moves(claims) == [(3, SettleClaims())]
    reveal = after(claims, (3, SettleClaims()), (0, Confirm()))
    assert due_moves(reveal) == [(1, Confirm()), (2, Confirm()), (3, Confirm())]
    assert timeout_move(reveal, 1) == Confirm()
    assert after(reveal, *due_moves(reveal)).number == 2
