"""What the bots work out: exact odds, the round after a move, who wins round and game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import isclose
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.values import changed
from games.peco_peco import rules
from games.peco_peco.bots.counting import beater, none_of, truth_of_declaration, unseen
from games.peco_peco.bots.game_model import chances
from games.peco_peco.bots.outlook import (
    Outlook,
    after_bluff,
    after_declaration,
    after_honesty,
    after_play,
    present,
)
from games.peco_peco.bots.round_model import win_shares
from games.peco_peco.rules.cards import ANIMALS, CARDS, beats, icon
from games.peco_peco.rules.moves import Accuse, Declare, Play
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.outcome import outcome
from games.peco_peco.rules.scoring import is_set
from games.peco_peco.rules.state import State, shared_buffet
from games.peco_peco.tests.random_games import steps
from games.peco_peco.tests.tables import after, buffet, table
from tests.games.contract.random_games import Step, Viewers, seeded

A, B, C, D = range(4)


def moves_of_games(games: int) -> Iterator[tuple[Step, State]]:
    """The moves of random games, each with the state before it as the moving seat knew it."""
    for seed in range(games):
        viewers: Viewers | None = None
        for step in steps(seeded(seed)):
            if viewers and step.before:
                yield step, viewers.known[step.seat]
            viewers = viewers or Viewers(rules, step.seats)
            viewers.learn(step.facts)


# --- counting ------------------------------------------------------------------------------------


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_the_odds_are_those_of_counting_every_hand(wanted: int, total: int, count: int) -> None:
    if max(wanted, count) > total:
        with pytest.raises(ValueError):
            none_of(wanted, total, count)
        return
    hands = list(combinations(range(total), count))
    assert isclose(
        none_of(wanted, total, count), mean(min(hand, default=9) >= wanted for hand in hands)
    )


def mean(values: Any) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def test_unseen_are_the_cards_in_the_pile_in_other_hands_and_buried_unseen() -> None:
    for number, (step, known) in enumerate(moves_of_games(4)):
        if step.before.top and number % 5 == 0:
            buried = known.under_size - len(known.under)
            others = sum(known.sizes) - known.sizes[step.seat]
            assert unseen(known, step.seat).total == known.pile_size + others + buried


def test_what_beats_a_card_is_what_the_rules_say() -> None:
    for inverse in (False, True):
        for top in CARDS:
            plain = [card for card in ANIMALS if beats(card, top, inverse=inverse)]
            assert plain == [beater(top, inverse=inverse)]


def test_the_truth_of_a_declaration_comes_from_the_cards_one_has_not_seen() -> None:
    """On a cat, 24 elephants and the 4 other bombs beat; A holds two of them, one lies buried."""
    text = "hands A[E,Eb] B[C,C,M] C[M] D[M]; top C+under E; draw C; turn B; clockwise; rule none"
    state = after(table(text), (B, Declare()))
    known = changed(state, hands=(state.hands[A], None, None, None), pile=None)
    assert isclose(truth_of_declaration(known, A), none_of(28 - 3, 72 - 4, 3))
    with pytest.raises(ValueError):
        truth_of_declaration(table(text), A)


# --- the round after a move ----------------------------------------------------------------------


def foreseen(step: Step, known: State) -> list[Outlook]:
    """What a bot of this seat foresees of the move that was made."""
    now = present(known, step.seat)
    match step.move:
        case Play():
            return [after_play(now, step.move)]
        case Declare():
            return [after_declaration(now)]
        case Accuse():
            honest = any(fact.kind == "honesty_shown" for fact in step.facts)
            assert known.declarer is not None
            follows = after_honesty if honest else after_bluff
            severe = known.stake.rule == "severe"
            return follows(now, step.seat, known.declarer, severe=severe)
    raise AssertionError(step.move)


def test_what_is_foreseen_comes_true() -> None:
    met = set()
    for step, known in moves_of_games(25):
        kinds = {fact.kind for fact in step.facts}
        if step.move.kind not in ("play", "declare", "accuse") or kinds & {
            "call_forgotten",
            "round_ended",
            "discard_reshuffled",
            "left",
        }:
            continue
        if isinstance(step.move, Play) and icon(step.move.card) == "d" and not known.pile_size:
            continue
        for outlook in foreseen(step, known):
            met.add((step.move.kind, known.stake.rule == "severe"))
            assert outlook.sizes == step.after.sizes
            assert outlook.active == set(step.after.active)
            assert outlook.pending == step.after.pending
            assert outlook.owner == step.after.owner and outlook.top == step.after.top
            assert outlook.direction == step.after.direction
            assert len(outlook.hand) + outlook.blind == step.after.sizes[step.seat]
            assert next(outlook.in_order(), None) == step.after.turn
    assert met == {(kind, severe) for kind in ("play", "declare", "accuse") for severe in (0, 1)}


# --- who wins the round --------------------------------------------------------------------------


def test_the_shares_of_a_round_add_up() -> None:
    for number, (step, known) in enumerate(moves_of_games(5)):
        if number % 4 == 0 and step.before.phase == "turn" and not known.choices:
            shares = win_shares(present(known, step.seat))
            assert min(shares.values()) >= 0
            if known.owner is not None:
                assert isclose(sum(shares.values()), 1)
            assert set(shares) <= set(known.active)


def test_the_owner_of_a_card_that_nobody_is_left_to_answer_wins() -> None:
    text = (
        "hands A[E] B[C] C[M] D[M]; top C; draw C,M; turn A; clockwise; rule none; "
        "top card owned by D; still to answer A"
    )
    shares = win_shares(after_declaration(present(table(text), A)))
    assert isclose(shares[D], 1)


def test_more_cards_and_bombs_make_stronger() -> None:
    text = "hands A[{}] B[C,M] C[M,M] D[M,E]; top C; draw C,M,E,E,M; turn B; clockwise; rule none"
    hands = ("E", "E,M", "E,M,C", "E,M,C,C", "E,M,C,Cb")
    shares = [win_shares(present(table(text.format(hand)), A))[A] for hand in hands]
    assert shares == sorted(shares) and len(set(shares)) == len(shares)


# --- who wins the game ---------------------------------------------------------------------------


def at_the_table(
    *buffets: tuple[str, ...], stake: str, left: int = 3, options: Options | None = None
) -> State:
    hands = " ".join(f"{seat}[E,C]" for seat in "ABCDEFGH"[: len(buffets)])
    text = f"hands {hands}; top C; draw C,M; turn A; clockwise; rule none"
    state = table(text, options=options, buffets=tuple(buffet(*one) for one in buffets))
    return changed(state, stake_id=stake, food_left=left)


def test_the_chances_of_all_sides_add_up() -> None:
    for number, (step, known) in enumerate(moves_of_games(6)):
        if number % 20 or step.before.phase != "turn" or known.choices:
            continue
        sides = {known.side_of(seat)[0]: known.side_of(seat) for seat in known.in_play}
        staying = [next(s for s in side if s in known.in_play) for side in sides.values()]
        for ways in zip(*(chances(known, seat) for seat in staying), strict=True):
            assert isclose(sum(ways), 1)


def test_a_complete_set_wins_at_once() -> None:
    state = at_the_table(("F01", "F07"), (), ("F02",), (), stake="F13")
    assert chances(state, A)[A] == 1
    assert chances(state, C)[A] == 0
    assert 0 < chances(state, C)[C] < 1


def test_partners_complete_a_set_together() -> None:
    teams = Options(teams="on")
    state = at_the_table(("F01",), (), ("F07",), (), stake="F13", options=teams)
    assert chances(state, A)[C] == 1 and chances(state, B)[C] == 0


def test_a_tilted_stake_completes_a_set_only_for_who_wins_again() -> None:
    state = at_the_table(("F07", "F18~"), (), (), (), stake="F01")
    assert chances(state, A)[A] == 1
    assert chances(state, A)[B] < chances(state, A)[C] + 1e-9 < 1


def test_a_stake_of_a_new_type_is_worth_more_than_one_of_an_old() -> None:
    new, old = (at_the_table(("F01",), (), (), (), stake=stake, left=9) for stake in ("F14", "F01"))
    assert chances(new, A)[A] > chances(old, A)[A] > chances(old, A)[B]


def test_after_the_last_stake_the_chances_are_the_result() -> None:
    """Played to the end by the rules: the same winner, but for the cards left in a hand (Q38)."""
    checked = 0
    for step, known in moves_of_games(40):
        ends = [fact for fact in step.facts if fact.kind == "game_ended"]
        if not ends or step.after.reason not in ("set", "pile"):
            continue
        winner = step.after.result.winner
        if winner is not None and (step.after.sizes[winner] or winner in step.after.removed):
            continue
        ended = outcome(step.after)
        assert ended is not None
        for seat in step.after.in_play:
            sides = {step.after.side_of(one) for one in ended.winners}
            expected = (step.after.side_of(seat) in sides) / len(sides)
            assert isclose(chances(known, seat)[-1 if winner is None else winner], expected)
        checked += 1
    assert checked >= 5


def test_sets_do_not_count_in_odd_teams() -> None:
    """Q42: with five in teams a set does not end the game."""
    teams = Options(teams="on")
    state = at_the_table((), ("F01",), (), ("F07",), (), stake="F13", left=5, options=teams)
    assert 0 < chances(state, B)[B] < 1
    assert is_set((*shared_buffet(state, B), *buffet("F13")))
