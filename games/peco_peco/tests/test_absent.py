"""What the clock plays for a player who is away or has left, card by card (C5, Q43)."""

from __future__ import annotations

import pytest

from games.core.moves import Leave
from games.peco_peco import rules
from games.peco_peco.rules.events import HandReceived, HandsDealt
from games.peco_peco.rules.moves import Declare, JoinTeam, Move, Play
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.state import State
from games.peco_peco.tests.random_games import steps
from games.peco_peco.tests.tables import after, choosing_a_team, table
from tests.games.contract.random_games import seeded

A, B, C, D = range(4)


def played(held: str, *, top: str = "C", rule: str = "none", **options: str) -> Move:
    """What the clock plays for A with this hand, among four."""
    chosen: Move = rules.timeout_move(position(held, top=top, rule=rule, **options), A)
    return chosen


def position(held: str, *, top: str = "C", rule: str = "none", **options: str) -> State:
    text = (
        f"hands A[{held}] B[C,M] C[C] D[M,M]; top {top}; draw C,C,C; turn A; clockwise; rule {rule}"
    )
    return table(text, options=Options(**options))  # type: ignore[arg-type]


def test_the_first_card_that_fits_is_played_and_bombs_last() -> None:
    cards = {
        "Cb,E,M": "E",  # the bomb comes before it in the hand
        "Cb,M,Er": "Er",
        "Cb,Eb,Ed,M": "Ed",
        "Cb,C,M": "Cb",  # nothing else fits
        "Cb,Eb,Mb": "Cb",  # bombs alone: the first
        "E,Ed,Er": "E",
    }
    assert {held: played(held) for held in cards} == {h: Play(card) for h, card in cards.items()}


def test_a_hand_that_cannot_play_declares() -> None:
    assert [played(held) for held in ("C", "M,C", "Cr,Md,Cs")] == [Declare()] * 3


def test_the_rule_of_the_round_says_what_fits(subtests: pytest.Subtests) -> None:
    for rule in ["inverse", "severe", "slap", "no_accuse"]:
        with subtests.test(rule=rule):
            fits, other = ("M", "E") if rule == "inverse" else ("E", "M")
            assert played(f"{other},{fits},C", rule=rule) == Play(fits)  # type: ignore[arg-type]
            assert played(f"{other},C", rule=rule) == Declare()


def test_peco_peco_is_called_exactly_where_it_is_due(subtests: pytest.Subtests) -> None:
    """Q43: with the last card but one, a bomb too; and nowhere where nobody calls."""
    due = {"E": False, "E,M": True, "E,M,C": False, "Cb,M": True, "Ed,Cd": True}
    for held, calls in due.items():
        with subtests.test(held=held):
            called = played(held, peco_call="on")
            assert isinstance(called, Play) and called.call is calls
            silent = played(held)
            assert isinstance(silent, Play) and silent.call is False


def test_nobody_who_is_away_loses_their_last_card_for_a_forgotten_call() -> None:
    state = position("E,M", peco_call="on")
    assert after(state, (A, rules.timeout_move(state, A))).sizes[A] == 1


def test_a_steal_names_the_first_opponent_with_cards() -> None:
    assert played("Es,M") == Play("Es", B)
    without_b = "hands A[Es,M] B[] C[C] D[M]; top C; draw C; turn A; clockwise; rule none"
    assert rules.timeout_move(table(without_b), A) == Play("Es", C)
    nobody = "hands A[Es,M] B[] C[] D[]; top C; draw C; turn A; clockwise; rule none"
    assert rules.timeout_move(table(nobody), A) == Play("Es", None)


def test_a_steal_in_teams_never_names_the_partner() -> None:
    text = "hands A[Es,M] B[] C[C] D[M]; top C; draw C; turn A; clockwise; rule none"
    assert rules.timeout_move(table(text, options=Options(teams="on")), A) == Play("Es", D)


def test_a_seat_that_left_is_played_like_one_that_is_away() -> None:
    for held in ("Cb,E,M", "Cb,C", "C,M", "Es,M,M"):
        state = position(held)
        left = after(state, (A, Leave()))
        assert rules.due_moves(left) == [(A, rules.timeout_move(state, A))]


def test_the_first_of_the_tied_teams_is_joined_for_a_player_alone_who_is_away() -> None:
    state = choosing_a_team()
    assert rules.due_moves(state) == [(0, JoinTeam(1))]


def test_in_every_turn_of_a_game_bombs_come_last_and_calls_where_they_are_due(
    subtests: pytest.Subtests,
) -> None:
    """Stated again from the hand, for positions that nobody thought of."""
    for seed in range(4):
        with subtests.test(seed=seed):
            met = 0
            for step in steps(seeded(seed), leaving=0.005):
                state: State = step.after
                if state.phase != "turn" or state.choices:
                    continue
                seat = state.turn
                assert seat is not None
                move = rules.timeout_move(state, seat)
                fitting = {
                    each.card for each in rules.legal_moves(state, seat) if isinstance(each, Play)
                }
                if not fitting:
                    assert move == Declare()
                    continue
                assert isinstance(move, Play)
                plain = sorted(card for card in fitting if not card.endswith("b"))
                assert move.card == (plain or sorted(fitting))[0]
                assert move.call is (state.options.peco_call == "on" and len(state.hand(seat)) == 2)
                met += 1
            assert met > 30


# --- seats that have left -------------------------------------------------------------------------


def test_a_seat_that_has_left_is_dealt_nothing(subtests: pytest.Subtests) -> None:
    """The number of cards alone does not tell: a card too many there is missing in the pile."""
    for seed in range(6):
        with subtests.test(seed=seed):
            dealt = 0
            for step in steps(seeded(seed), leaving=0.02, seats=8):
                sizes = [fact.sizes for fact in step.facts if isinstance(fact, HandsDealt)]
                received = {fact.seat for fact in step.facts if isinstance(fact, HandReceived)}
                for each in sizes:
                    state: State = step.after
                    dealt += len(state.removed)
                    assert all(each[seat] == 0 and state.hand(seat) == () for seat in state.removed)
                    assert all(each[seat] > 0 for seat in state.in_play)
                    assert not received & state.removed
                    assert state.pending <= set(state.in_play)
            assert dealt > 0
