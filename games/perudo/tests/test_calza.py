"""Calza: the last bid is exactly true (P33 to P42), and what happens at the same instant."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.moves import Confirm, Leave
from games.perudo.rules.bids import Bid
from games.perudo.rules.calza import arbitrate, why_no_calza
from games.perudo.rules.decide import decide
from games.perudo.rules.events import BidMade, CalzaClaimed, DieLost, DieRegained, Revealed
from games.perudo.rules.moves import Calza, Dudo, SettleClaims
from games.perudo.rules.state import State
from games.perudo.rules.turns import cuts_off, legal_moves, to_act
from games.perudo.tests.tables import ANY_DICE, after, next_round, refusal, table

HANDS = [[2, 2, 3], [3, 3, 3], [4, 4, 4], [5, 5, 5]]


def calza_table(bid: str | None = "2x2", **more: Any) -> State:
    return table(HANDS, bid=bid, **{"calza": "on", **more})


def settled(state: State, *claimants: int) -> State:
    state = after(state, *((seat, Calza()) for seat in claimants))
    return after(state, (state.claims[0], SettleClaims()))


# --- right and wrong -----------------------------------------------------------------------------


def test_an_exact_bid_gives_the_caller_a_die_back_and_the_opening() -> None:
    """P33, P34, P39."""
    state = settled(calza_table("2x2"), 3)
    assert state.dice == (3, 3, 3, 4)
    assert state.result is not None
    assert (state.result.gainer, state.result.loser) == (3, None)
    assert next_round(state).opener == 3


def test_a_bid_that_is_not_exact_costs_only_the_caller_a_die() -> None:
    """P34: whether it was true or false."""
    states = [settled(calza_table(bid), 3) for bid in ("1x2", "3x2")]
    assert [state.dice for state in states] == [(3, 3, 3, 2)] * 2
    assert [next_round(state).opener for state in states] == [3, 3]


def test_pacos_count_in_a_calza_as_in_a_dudo() -> None:
    """P33."""
    state = settled(table([[2, 1], [1, 3], [4, 4]], bid="3x2", calza="on"), 2)
    assert state.result is not None
    assert state.result.gainer == 2


def test_pacos_do_not_count_in_the_calza_of_a_palifico_round() -> None:
    """P33, P25."""
    state = settled(table([[2], [1, 3], [4, 4]], bid="1x2", palifico=0, calza="on"), 2)
    assert state.result is not None
    assert (state.result.count, state.result.gainer) == (1, 2)


def test_nobody_has_more_than_five_dice() -> None:
    """P34, P42: the caller wins nothing but the opening."""
    state = settled(table([[2], [3], [4] * 5], bid="1x2", calza="on"), 2)
    assert state.dice == (1, 1, 5)
    assert next_round(state).opener == 2


def test_a_wrong_caller_may_go_out_and_the_next_seat_opens() -> None:
    """P34, P39."""
    state = settled(table([[2, 2], [3, 3], [4]], bid="9x2", calza="on"), 2)
    assert state.out == (2,)
    assert next_round(state).opener == 0


# --- who may call --------------------------------------------------------------------------------


def test_who_may_call_is_a_setting(subtests: pytest.Subtests) -> None:
    """P35."""
    for who, callers in [
        ("any_but_bidder", {1, 2, 3}),
        ("any_but_bidder_and_next", {2, 3}),
        ("current_only", {1}),
    ]:
        with subtests.test(who=who):
            state = calza_table(calza_who=who)
            assert {seat for seat in range(4) if why_no_calza(state, seat) is None} == callers
            assert {seat for seat in range(4) if Calza() in legal_moves(state, seat)} == callers
            assert set(to_act(state)) == callers | {1}


def test_a_refused_calza_says_why(subtests: pytest.Subtests) -> None:
    """P35, P36, P37."""
    for settings, seat, code in [
        ({"calza": "off"}, 2, "calza_off"),
        ({}, 0, "own_bid"),
        ({"calza_who": "any_but_bidder_and_next"}, 1, "next_bidder"),
        ({"calza_who": "current_only"}, 2, "not_your_turn"),
        ({"bid": None}, 2, "no_bid"),
        ({"palifico": 0, "calza_in_palifico": False}, 2, "calza_palifico"),
    ]:
        with subtests.test(code=code):
            state = calza_table(**settings)
            assert refusal(state, seat, Calza()) == why_no_calza(state, seat) == code


def test_calza_can_be_called_in_a_palifico_round_where_nothing_bans_it() -> None:
    """P37."""
    assert refusal(calza_table(palifico=0), 2, Calza()) is None


def test_with_two_left_calza_is_a_setting() -> None:
    """P38."""
    for least, code in ((2, None), (3, "calza_two_left")):
        state = table([[2], [], [3, 3]], bid="1x2", calza="on", calza_min_players=least)
        assert refusal(state, 2, Calza()) == code, least


def test_five_dice_may_call_unless_the_table_asks_for_a_lost_die() -> None:
    """P42."""
    for needed, code in ((False, None), (True, "calza_full")):
        state = table([[2], [3], [4] * 5], bid="1x2", calza="on", calza_needs_lost_die=needed)
        assert refusal(state, 2, Calza()) == code, needed


def test_calza_is_too_late_once_the_dice_are_shown() -> None:
    """P36."""
    state = after(calza_table(), (1, Dudo()))
    assert refusal(state, 2, Calza()) == "round_over"


def test_an_eliminated_seat_does_not_come_back_by_calza() -> None:
    """P35."""
    assert refusal(table([[2], [3], []], bid="1x2", calza="on"), 2, Calza()) == "eliminated"


def test_a_game_that_is_over_offers_no_calza() -> None:
    state = after(table([[2], [3]], bid="2x2", calza="on"), (1, Dudo()))
    assert [why_no_calza(state, seat) for seat in (0, 1)] == ["game_over", "game_over"]


# --- the same instant ----------------------------------------------------------------------------


def test_the_seat_on_turn_is_nearest_so_its_calza_prevails_at_once() -> None:
    """P40."""
    facts = decide(calza_table(), 1, Calza(), ANY_DICE)
    assert facts[0] == Revealed("calza", 1, tuple(tuple(hand) for hand in HANDS), 2)
    claimed = after(calza_table(), (2, Calza()))
    assert after(claimed, (1, Calza())).phase == "reveal"


def test_a_call_out_of_turn_is_only_a_claim() -> None:
    """P41."""
    assert decide(calza_table(), 3, Calza(), ANY_DICE) == [CalzaClaimed(3)]
    state = after(calza_table(), (3, Calza()))
    assert state.phase == "claims"
    assert to_act(state) == (1, 2)
    assert refusal(state, 3, Calza()) == "already_claimed"


def test_the_claim_nearest_to_the_bidders_left_prevails_in_any_order() -> None:
    """P40."""
    state = settled(calza_table(), 3, 2)
    assert state.result is not None
    assert state.result.caller == 2


def test_nearest_goes_round_the_table() -> None:
    """P40: with seat 2 bidding the order is 3, 0, 1."""
    state = table(HANDS, bid="2x2", bidder=2, calza="on")
    assert arbitrate(state, [1, 0]) == 0
    assert arbitrate(state, [1, 0, 3]) == 3
    assert arbitrate(state, [2]) is None
    assert arbitrate(state, []) is None
    assert arbitrate(calza_table(None), [1, 2]) is None


def test_a_raise_at_the_same_instant_voids_the_claims_without_penalty() -> None:
    """P41."""
    state = after(calza_table(), (3, Calza()), (2, Calza()))
    assert decide(state, 1, Bid(3, 2), ANY_DICE) == [BidMade(1, Bid(3, 2))]
    state = after(state, (1, Bid(3, 2)))
    assert (state.phase, state.claims) == ("turn", ())
    assert state.dice == (3, 3, 3, 3)


def test_a_doubt_at_the_same_instant_voids_the_claims_without_penalty() -> None:
    """P41."""
    facts = decide(after(calza_table(), (3, Calza())), 1, Dudo(), ANY_DICE)
    assert [fact for fact in facts if isinstance(fact, DieLost | DieRegained)] == [DieLost(1)]
    assert after(calza_table(), (3, Calza()), (1, Dudo())).claims == ()


def test_a_voided_claim_does_not_fall_on_the_newer_bid() -> None:
    """P36, P41."""
    state = after(calza_table(), (3, Calza()), (1, Bid(3, 2)))
    assert refusal(state, 3, SettleClaims()) == "nothing_to_settle"
    assert refusal(state, 3, Calza()) is None


def test_a_claim_stands_when_its_seat_leaves_in_the_same_instant() -> None:
    """P40: or nobody could settle it."""
    state = after(calza_table(), (3, Calza()), (3, Leave()))
    assert refusal(state, 3, Calza()) == "already_left"
    state = after(state, (3, SettleClaims()))
    assert state.result is not None
    assert (state.result.caller, state.result.gainer, state.dice[3]) == (3, 3, 0)
    assert next_round(state).opener == 0


def test_nothing_is_settled_where_nothing_was_claimed() -> None:
    assert refusal(calza_table(), 1, SettleClaims()) == "nothing_to_settle"
    assert refusal(calza_table(), 1, Confirm()) == "nothing_to_confirm"


def test_only_a_raise_or_doubt_cuts_off_those_who_could_still_call() -> None:
    """P41."""
    cases = [
        (calza_table(), 1, Bid(3, 2), True),
        (calza_table(), 1, Dudo(), True),
        (calza_table(), 1, Calza(), False),
        (calza_table(), 2, Calza(), False),
        (calza_table(), 2, Bid(3, 2), False),
        (calza_table(None), 0, Bid(3, 2), False),
        (calza_table(calza="off"), 1, Dudo(), False),
        (calza_table(calza_who="current_only"), 1, Dudo(), False),
        (after(calza_table(), (3, Calza())), 1, Dudo(), False),
    ]
    assert [case for case in cases if cuts_off(*case[:3]) is not case[3]] == []
