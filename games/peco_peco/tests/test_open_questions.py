"""What the printed rules leave open, as docs/rules-peco-peco.md answers it (B10, 27 to 34)."""

from __future__ import annotations

import pytest

from games.core.moves import Leave
from games.core.values import changed
from games.peco_peco import rules
from games.peco_peco.rules.events import GameStarted, RoundEnded
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.moves import Accuse, Declare, JoinTeam, Play
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.state import State
from games.peco_peco.tests.tables import after, buffet, refusal, table

A, B, C, D, E = range(5)
FOUR = (
    "hands A[E,E] B[C,C] C[C,C] D[C,C]; top C; draw E,C; turn A; clockwise; rule none; "
    "top card owned by D"
)


def next_round(state: State) -> State:
    """The round after this one; its end has been seen by everybody."""
    return after(state, *rules.due_moves(state))


def before_the_last(*buffets: tuple[str, ...], seats: int = 5) -> State:
    """In teams, 1 with 3 and 2 with 4 of five, or 1 with 4, 2 with 5, 3 with 6 of seven; the round
    has ended without a winner, and one stake is left.
    """
    begun = evolve(None, GameStarted(seats, Options(teams="on")))
    laid = tuple(buffet(*one) for one in buffets) + ((),) * (seats - len(buffets))
    state = changed(begun, food=("F14",), food_left=1, buffets=laid, number=7, stake_id="F01")
    return evolve(state, RoundEnded(None))


def test_the_card_of_a_tilted_stake_is_missing_in_the_very_next_round() -> None:
    """B10, 27: F18 is laid tilted and takes a card from its winner at once."""
    state = changed(table(FOUR), stake_id="F18", food=("F04", "F12"), food_left=2)
    state = after(state, (A, Play("E")), *((seat, Declare()) for seat in (B, C, D)))
    [laid] = state.buffets[A]
    assert (laid.stake, laid.facing) == ("F18", "tilted")
    following = next_round(state)
    assert following.stake.deal == 3
    assert following.sizes == (2, 3, 3, 3)


def test_tilted_stakes_count_neither_as_points_nor_as_stakes_when_a_team_is_joined(
    subtests: pytest.Subtests,
) -> None:
    """B10, 28. A general defeat turns them down, so they are still tilted only while they wait."""
    begun = evolve(None, GameStarted(5, Options(teams="on")))
    begun = changed(begun, food=("F14",), food_left=1)
    for buffets, joined in [
        (((), ("F05",), ("F11~",)), 2),  # three dishes that are not won yet
        (((), ("F04",), ("F01", "F01~", "F01~")), 2),  # fewer points, more cards
        (((), ("F04", "F04_"), ("F05", "F05~")), 2),  # as many points, one card against two
        (((), ("F05",), ("F04", "F04")), 1),  # as many points, one card against two
    ]:
        with subtests.test(buffets=buffets):
            laid = tuple(buffet(*one) for one in buffets) + ((), ())
            state = changed(begun, buffets=laid, number=7, stake_id="F01")
            reveal = changed(evolve(state, RoundEnded(None)), buffets=laid)
            following = next_round(reveal)
            assert not following.choices
            assert following.side_of(0) == tuple(sorted((0, joined, joined + 2)))


def test_the_player_alone_chooses_among_the_tied_teams_only_and_sees_no_hand() -> None:
    """B10, 29 and 30: of seven, the team with the most points is not on offer."""
    state = next_round(before_the_last((), ("F04",), ("F05",), ("F12",), (), ("F01",), seats=7))
    assert (state.choices, state.side_of(0)) == ((), (0, 1, 4)), "2 points against 4 and 3"
    state = next_round(before_the_last((), ("F04",), ("F05",), ("F10",), seats=7))
    assert [state.sides[number] for number in state.choices] == [(1, 4), (3, 6)]
    assert state.sizes == (0,) * 7 and state.top is None, "nothing is dealt yet"
    assert refusal(state, 0, JoinTeam(2)) == "bad_team"
    joined = after(state, (0, JoinTeam(3)))
    assert joined.side_of(0) == (0, 3, 6)
    assert all(joined.sizes)


def test_when_the_starter_has_left_the_next_seat_clockwise_starts(
    subtests: pytest.Subtests,
) -> None:
    """B10, 31: A has won the round, whatever way the next stake is played."""
    for leavers, starter in [((A,), B), ((A, B), C), ((D,), A)]:
        with subtests.test(leavers=leavers):
            for stake in ("F04", "F12"):  # anticlockwise, clockwise
                state = changed(table(FOUR), food=(stake, "F01"), food_left=2)
                leaving = ((seat, Leave()) for seat in leavers)
                moves = (A, Play("E")), *leaving, *((seat, Declare()) for seat in (B, C, D))
                assert next_round(after(state, *moves)).starter == starter


def test_nobody_joins_when_one_other_team_is_left_or_the_player_alone_has_left() -> None:
    """B10, 32."""
    for leavers in ((1, 3), (0,)):
        state = before_the_last((), ("F05",), ("F11",))
        state = next_round(after(state, *((seat, Leave()) for seat in leavers)))
        assert state.phase == "turn" and not state.choices, leavers
        assert state.sides == ((0,), (1, 3), (2, 4)), leavers


def test_a_declaration_can_be_slapped_after_the_window_until_the_next_player_acts() -> None:
    """B10, 34."""
    state = table(FOUR.replace("rule none", "rule slap"))
    state = after(state, (A, Declare()))
    closed = after(state, *rules.due_moves(state))
    assert closed.phase == "turn" and closed.turn == B
    for accuser in (B, C, D):
        assert refusal(closed, accuser, Accuse()) is None
    acted = after(closed, (B, Declare()))
    assert acted.declarer == B, "A's declaration is past, B's is the last"
    played = changed(closed, hands=(closed.hands[A], ("E", "Mb"), *closed.hands[2:]))
    assert refusal(after(played, (B, Play("E"))), D, Accuse()) == "nothing_to_accuse"
