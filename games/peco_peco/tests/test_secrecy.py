"""Hidden cards stay hidden; tests/games/contract holds what every game promises."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from games.core.chance import SeededChance
from games.core.contract import Fact, may_know
from games.core.values import changed
from games.peco_peco import rules
from games.peco_peco.rules.moves import Declare
from games.peco_peco.tests.random_games import steps
from games.peco_peco.tests.tables import table
from tests.games.contract.random_games import Viewers, facts_of, seeded


def test_hidden_facts_are_not_shown_when_printed() -> None:
    """A log line or an error that quotes a fact or a state quotes no hidden card."""
    hidden = ("hand_received", "cards_buried", "card_passed", "pile_shuffled", "food_shuffled")
    met = set()
    for step in chain.from_iterable(steps(seeded(seed)) for seed in range(4)):
        for fact in step.facts:
            if fact.kind in hidden:
                met.add(fact.kind)
                assert "cards=" not in repr(fact) and "card=" not in repr(fact)
                assert "stakes=" not in repr(fact)
        shown = repr(step.after)
        assert not [name for name in ("hands", "pile", "food", "under") if f" {name}=" in shown]
    assert met == set(hidden)


def test_a_true_and_a_false_declaration_are_the_same_fact() -> None:
    """Q13, C4.6: the server does not look at the hand."""
    for held in ("E,M", "C,M"):
        text = f"hands A[{held}] B[C,C]; top C; draw empty; turn A; clockwise; rule none"
        state = table(text)
        blind = changed(state, hands=(None, None), pile=None)
        assert rules.decide(blind, 0, Declare(), SeededChance(seeded(1))) == rules.decide(
            state, 0, Declare(), SeededChance(seeded(1))
        )


def test_a_stolen_card_is_known_to_the_two_it_passed_between() -> None:
    """B10, 9: the thief of an accusation and the former owner; a steal icon tells its victim."""
    facts: list[Fact] = facts_of(steps(seeded(4)))
    passed = [fact for fact in facts if fact.kind == "card_passed"]
    buried = [fact for fact in facts if fact.kind == "cards_buried"]
    assert passed and buried
    for fact in passed:
        assert sum(may_know(fact, seat) for seat in range(8)) == 2 and not may_know(fact, None)
    for fact in buried:
        assert sum(may_know(fact, seat) for seat in range(8)) == 1 and not may_know(fact, None)


def test_a_seat_knows_of_the_buried_cards_only_what_passed_through_its_hands() -> None:
    for seed in range(5):
        viewers: Viewers | None = None
        for step in steps(seeded(seed)):
            viewers = viewers or Viewers(rules, step.seats)
            viewers.learn(step.facts)
            for known in viewers.known.values():
                assert known.under_size == step.after.under_size
                assert Counter(known.under) <= Counter(step.after.under)
