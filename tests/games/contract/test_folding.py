"""Every viewer folds what they may know in the order of the log: no other order is right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from games.core.contract import Audience, Fact, fold, may_know
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import Arena, seeded, steps

every_game = pytest.mark.parametrize("arena", ARENAS.values(), ids=list(ARENAS))


def visible_facts(facts: list[Fact], viewer: int | None) -> list[Fact]:
    return [fact for fact in facts if may_know(fact, viewer)]


def sealed_last(facts: list[Fact]) -> list[Fact]:
    """The wrong order: public facts first, then sealed ones."""
    return sorted(facts, key=lambda fact: fact.audience is not None)


# --- a toy game: a seat is dealt two cards and plays one ------------------------------------------


@dataclass(frozen=True, slots=True)
class Dealt(Fact):
    kind: ClassVar[str] = "dealt"
    seat: int
    cards: frozenset[str]

    @property
    def audience(self) -> Audience:
        return (self.seat,)


@dataclass(frozen=True, slots=True)
class Played(Fact):
    kind: ClassVar[str] = "played"
    audience: ClassVar[Audience] = None
    seat: int
    card: str


@dataclass(frozen=True)
class Table:
    hand: frozenset[str] | None = None  # of seat 0; None is sealed
    pile: tuple[str, ...] = ()


class Toy:
    @staticmethod
    def evolve(state: Table | None, fact: Any) -> Table:
        state = state or Table()
        match fact:
            case Dealt():
                return replace(state, hand=fact.cards)
            case Played():
                hand = None if state.hand is None else state.hand - {fact.card}
                return replace(state, hand=hand, pile=(*state.pile, fact.card))
        raise AssertionError(fact)


TOY: list[Fact] = [Dealt(0, frozenset("ab")), Played(0, "a")]


def test_in_the_order_of_the_log_a_played_card_has_left_the_hand() -> None:
    assert fold(Toy, visible_facts(TOY, 0)) == Table(frozenset("b"), ("a",))
    assert fold(Toy, visible_facts(TOY, None)) == Table(None, ("a",))


def test_with_sealed_facts_last_a_played_card_would_be_in_the_hand_again() -> None:
    wrong = fold(Toy, sealed_last(visible_facts(TOY, 0)))
    assert wrong == Table(frozenset("ab"), ("a",))
    assert wrong != fold(Toy, TOY)


# --- the games ------------------------------------------------------------------------------------


def disagreements(arena: Arena, *, in_order: bool) -> int:
    """In how many positions a viewer's fold fails, or differs from the whole state."""
    found = 0
    for seed in range(3):
        facts: list[Fact] = []
        for number, step in enumerate(steps(arena, seeded(seed), leaving=0.01)):
            facts += step.facts
            if number % 10:
                continue
            for viewer in (None, *range(step.seats)):
                known_facts = visible_facts(facts, viewer)
                try:
                    known = fold(arena.rules, known_facts if in_order else sealed_last(known_facts))
                except (AssertionError, TypeError, ValueError):
                    found += 1
                    continue
                whole = arena.as_known(step.after, viewer)
                found += arena.as_known(known, viewer) != whole
    return found


@every_game
def test_what_a_viewer_knows_agrees_with_the_whole_state(arena: Arena) -> None:
    assert disagreements(arena, in_order=True) == 0


@every_game
def test_with_sealed_facts_last_it_would_not_agree(arena: Arena) -> None:
    assert disagreements(arena, in_order=False) > 0


@every_game
def test_what_was_hidden_before_the_last_deal_is_not_needed_any_more(arena: Arena) -> None:
    """The event log reads hidden facts only from after the last fact with `new_deal`."""
    for seed in range(3):
        facts: list[Fact] = []
        dealt = deals = 0
        for step in steps(arena, seeded(seed), leaving=0.01):
            for fact in step.facts:
                facts.append(fact)
                if fact.new_deal:
                    dealt, deals = len(facts), deals + 1
                    assert getattr(fact, "number", None) == deals  # of the round it begins
            then_public = fold(arena.rules, visible_facts(facts[:dealt], None))
            assert fold(arena.rules, facts[dealt:], then_public) == step.after, (seed, deals)
        assert deals > 2
