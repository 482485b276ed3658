"""Who is one stake from winning by a complete set, and who acts after the seat on turn."""

from __future__ import annotations

import pytest

from games.core.moves import Leave
from games.core.values import changed
from games.peco_peco.rules.events import RoundEnded
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.moves import Accuse, Declare, Play
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.outcome import is_near_set
from games.peco_peco.rules.rounds import has_won_by_set
from games.peco_peco.rules.scoring import Buffet
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import next_turn
from games.peco_peco.tests.random_games import ARENA, steps, with_other_secrets
from games.peco_peco.tests.tables import after, buffet, choosing_a_team, table
from tests.games.contract.random_games import seeded

A, B, C, D = range(4)
TEXT = "hands A[E,M] B[C,C] C[M,M] D[E,E]; top C; draw E; turn A; clockwise; rule none"


def with_stake(*buffets: Buffet, stake: str = "F01", left: int = 2, **options: object) -> State:
    """The stake F01, a maki, is on the table, and others follow."""
    laid = buffets + ((),) * (4 - len(buffets))
    state = table(TEXT, buffets=laid, options=Options(**options))  # type: ignore[arg-type]
    return changed(state, stake_id=stake, food_left=left)


def near(state: State) -> list[int]:
    return [seat for seat in range(state.seats) if is_near_set(state, seat)]


# --- one stake from winning ----------------------------------------------------------------------


def test_two_types_face_up_are_one_stake_from_a_set(subtests: pytest.Subtests) -> None:
    """Q36, Q37: a card that lies face down has no type."""
    for laid, is_near in [
        ((), False),
        (("F02",), False),
        (("F02", "F03", "F05"), False),
        (("F02", "F09"), True),
        (("F02", "F03", "F09", "F10"), True),
        (("F02", "F09_"), False),
        (("F02_", "F09_", "F17_"), False),
        (("F02", "F09", "F17_"), True),
    ]:
        with subtests.test(laid=laid):
            for stake in ("F01", "F07", "F13"):
                assert near(with_stake(buffet(*laid), stake=stake)) == [A] * is_near


def test_a_tilted_stake_helps_if_this_round_is_for_the_third_type() -> None:
    """Q36: it is turned up with the win, unless the stake that is won is laid tilted itself."""
    stakes = ("F01", "F06", "F07", "F13")
    found = {stake: near(with_stake(buffet("F09", "F18~"), stake=stake)) for stake in stakes}
    assert found == {"F01": [A], "F06": [], "F07": [], "F13": []}


def test_after_a_round_a_tilted_stake_may_still_be_turned_up_by_the_next() -> None:
    shown = changed(with_stake(buffet("F09", "F18~")), phase="reveal")
    assert near(shown) == [A]
    assert near(changed(shown, phase="over")) == []


def test_the_last_stake_must_be_of_the_third_type_and_can_be_won_by_who_is_in_the_round() -> None:
    for stake, expected in (("F01", [A, B]), ("F06", [A, B]), ("F07", [])):
        last = with_stake(buffet("F09", "F15"), buffet("F10", "F18~"), stake=stake, left=0)
        assert near(last) == expected
        assert near(changed(last, out=frozenset({A}))) == expected[1:]
    early = with_stake(buffet("F09", "F15"), buffet("F10", "F18~"))
    assert near(changed(early, out=frozenset({A, B}))) == [A], "A may win a later one"


def test_a_side_has_one_set_but_a_tilted_stake_needs_its_own_winner() -> None:
    """Q36, Q41: teams of two sit opposite each other."""
    assert near(with_stake(buffet("F02"), (), buffet("F09"), teams="on")) == [A, C]
    assert near(with_stake(buffet("F09"), (), buffet("F18~"), teams="on")) == [C]


def test_a_set_wins_nothing_in_teams_of_five() -> None:
    assert near(changed(choosing_a_team(), buffets=(buffet("F02", "F09"),) * 5)) == []


def test_who_has_left_is_near_nothing_and_their_buffet_helps_no_partner() -> None:
    """B10, 33: they are removed before the round is judged."""
    state = with_stake(buffet("F02"), buffet("F02", "F09"), buffet("F09", "F15"), teams="on")
    assert near(state) == [A, B, C, D]
    assert near(after(state, (A, Leave()))) == [B, C, D]
    assert near(after(state, (C, Leave()))) == [B, D]


def test_a_set_is_won_by_who_was_near_it_and_nothing_hidden_plays_a_part(
    subtests: pytest.Subtests,
) -> None:
    for seed in range(8):
        with subtests.test(seed=seed):
            before: State | None = None
            generator = seeded(seed)
            for step in steps(generator, leaving=0.01):
                state = step.after
                found = near(state)
                assert near(with_other_secrets(state, 0, generator)) == found
                assert near(ARENA.as_known(state, None)) == found
                result = state.result
                if state.reason == "set" and result is not None and before is not None:
                    assert has_won_by_set(state, result.winner) and result.winner in near(before)
                before = state


def test_every_stake_by_which_a_seat_would_win_is_foreseen(subtests: pytest.Subtests) -> None:
    """For the last stake exactly: it is won or not."""
    for laid in [("F09", "F15"), ("F09", "F18~"), ("F09", "F17_"), ("F02", "F09", "F11~"), ()]:
        with subtests.test(laid=laid):
            for stake in set(STAKES) - set(laid):
                for left in (2, 0):
                    start = with_stake(buffet(*laid), stake=stake, left=left)
                    wins = has_won_by_set(evolve(start, RoundEnded(A)), A)
                    assert is_near_set(start, A) or not wins
                    assert left or is_near_set(start, A) == wins


# --- who is next ---------------------------------------------------------------------------------


def test_the_next_seat_is_the_next_in_the_direction_of_play() -> None:
    state = table(TEXT)
    assert next_turn(state) == B
    assert next_turn(changed(state, direction=-1, last_actor=B)) == D
    assert next_turn(after(state, (A, Declare()))) == C
    declared = after(state, *((seat, Declare()) for seat in (A, B, C)))
    assert (declared.turn, next_turn(declared)) == (D, A), "if D plays"


def test_who_is_out_or_has_left_for_good_is_not_next() -> None:
    state = table(TEXT)
    assert next_turn(changed(state, out=frozenset({B}))) == C
    assert next_turn(changed(state, out=frozenset({B}), removed=frozenset({C}))) == D
    assert next_turn(changed(state, out=frozenset({B, C, D}))) is None


def test_the_owner_of_the_top_card_without_cards_is_not_next() -> None:
    """Q15: they are out as soon as it is covered, and win if it is not."""
    played = after(table(TEXT.replace("A[E,M]", "A[E]")), (A, Play("E")))
    on_d = after(played, (B, Declare()), (C, Declare()))
    assert (on_d.turn, on_d.owner, next_turn(on_d)) == (D, A, B)


def test_in_a_slap_window_the_next_is_who_acts_after_it() -> None:
    window = after(table(TEXT.replace("rule none", "rule slap")), (A, Declare()))
    assert (window.phase, next_turn(window)) == ("claims", B)
    assert next_turn(after(window, (C, Accuse()))) == C, "B is on turn after the accused"


def test_nobody_is_next_after_a_round_and_before_the_deal_it_is_the_starter() -> None:
    ended = after(table(TEXT), *((seat, Declare()) for seat in (A, B, C, D)))
    assert ended.phase == "reveal" and next_turn(ended) is None
    choosing = choosing_a_team()
    assert next_turn(choosing) == (None if choosing.turn == choosing.solo else choosing.turn)


def test_who_is_next_acts_next_where_nothing_changes(subtests: pytest.Subtests) -> None:
    """Unless the direction or who is in the round changes, or the round ends."""
    for seed in range(4):
        with subtests.test(seed=seed):
            told = None
            met = 0
            for step in steps(seeded(seed), seats=8):
                state: State = step.after
                here = (state.number, state.direction, state.active)
                if told and state.phase == "turn" and told[0] == here and state.turn != told[1]:
                    assert state.turn == told[2]
                    met += 1
                is_turn = state.phase == "turn" and not state.choices
                told = (here, state.turn, next_turn(state)) if is_turn else None
            assert met > 20
