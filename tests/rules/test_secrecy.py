"""Nobody learns another's dice: what a seat is told, offered or refused never depends on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.core.contract import IllegalMove, Sealed, fold
from games.rules import GAMES, rules_of
from games.rules.contract import Fact
from games.rules.perudo.options import SITE_OPTIONS
from games.rules.perudo.state import evolve
from tests.rules.random_games import ARENAS, SeededChance, seeded, steps
from tests.rules.tables import table


def told(facts: list[Fact], seat: int | None) -> list[Fact]:
    return [fact for fact in facts if fact.only in (None, seat)]


def answers(key: str, state: Any, seat: int) -> list[object]:
    """What the game says to every move that this seat might try, as far as the seat is told."""
    said: list[object] = []
    for move in ARENAS[key].universe(state):
        try:
            facts = rules_of(key).decide(state, seat, move, SeededChance(seeded(0)))
        except IllegalMove as illegal:
            said.append((illegal.code, illegal.details))
        else:
            said.append([fact.kind for fact in facts][:1])
    return said


@pytest.mark.parametrize("key", GAMES)
def test_swapping_the_others_hidden_hands_changes_nothing_for_a_seat(key: str) -> None:
    rules = rules_of(key)
    for seed in range(25):
        generator = seeded(seed)
        facts: list[Fact] = []
        for step in steps(key, generator):
            facts += step.facts
            if rules.phase(step.after) not in ("turn", "claims") or generator.random() > 0.2:
                continue
            seat = generator.randrange(step.seats)
            swapped = ARENAS[key].other_hands(facts, seat, generator)
            other = fold(rules, swapped)
            knows, would_know = fold(rules, told(facts, seat)), fold(rules, told(swapped, seat))
            assert knows == would_know
            assert repr(knows) == repr(would_know)
            for state in (knows, other):
                assert rules.to_act(state) == rules.to_act(step.after)
                assert rules.phase(state) == rules.phase(step.after)
                assert rules.legal_moves(state, seat) == rules.legal_moves(step.after, seat)
            assert answers(key, step.after, seat) == answers(key, other, seat)


@pytest.mark.parametrize("key", GAMES)
def test_everybody_can_follow_a_game_without_a_hidden_fact(key: str) -> None:
    rules = rules_of(key)
    for seed in range(25):
        facts: list[Fact] = []
        for step in steps(key, seeded(seed)):
            facts += step.facts
            public = fold(rules, told(facts, None))
            assert rules.to_act(public) == rules.to_act(step.after)
            assert rules.outcome(public) == rules.outcome(step.after)
            assert rules.finished_round(public) == rules.finished_round(step.after)


def test_what_a_seat_was_told_is_the_truth_without_the_others_hands() -> None:
    for seed in range(25):
        facts: list[Fact] = []
        for step in steps("perudo", seeded(seed)):
            facts += step.facts
            truth = step.after
            for seat in (None, *range(step.seats)):
                knows = fold(rules_of("perudo"), told(facts, seat))
                hidden = truth.phase in ("turn", "claims") or truth.result is None
                hands = tuple(
                    hand if owner == seat or not hand or not hidden else None
                    for owner, hand in enumerate(truth.hands)
                )
                assert knows == replace(truth, hands=hands)


def test_asking_for_a_sealed_hand_says_so() -> None:
    facts = next(steps("perudo", seeded(1), options=SITE_OPTIONS)).facts
    state = None
    for fact in told(facts, 0):
        state = evolve(state, fact)
    assert state is not None
    assert len(state.hand(0)) == 5
    with pytest.raises(Sealed, match="seat 1"):
        state.hand(1)


def test_a_state_never_prints_a_hand() -> None:
    assert "6, 6" not in repr(table([[6, 6, 6], [6, 6]], bid="2x6"))


def test_calza_is_offered_to_every_entitled_seat_whatever_its_hand() -> None:
    fits = table([[2, 2], [3, 3], [2, 2], [6, 6]], bid="4x2", calza="on")
    fails = table([[2, 2], [3, 3], [6, 6], [2, 2]], bid="8x6", calza="on")
    rules = rules_of("perudo")
    assert rules.to_act(fits) == rules.to_act(fails) == (1, 2, 3)  # P35
