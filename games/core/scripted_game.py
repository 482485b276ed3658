"""Scripted games: predefined moves played by the rules up to a position, for tutorials."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.core.contract import Chance, Fact, Rules, fold, may_know
from games.core.moves import Confirm

Moves = Iterable[tuple[int, Any]]  # (seat, move), in order


def follow(rules: Rules, facts: Iterable[Fact], moves: Moves, chance: Chance) -> list[Fact]:
    """Play moves after the given facts and return the new facts. Raises IllegalMove."""
    state, following = fold(rules, facts), []
    for seat, move in moves:
        new = rules.decide(state, seat, move, chance)
        state = fold(rules, new, state)
        following += new
    return following


def play_rounds(
    rules: Rules, begun: Iterable[Fact], rounds: Iterable[Moves], chance: Chance
) -> list[Fact]:
    """Return the facts of a game that starts with `begun`, up to the last move of the last round.

    After every round but the last, all seats that have to acknowledge its end do so.
    """
    facts = list(begun)
    for number, moves in enumerate(rounds):
        if number:
            seen = [(seat, Confirm()) for seat in rules.to_act(fold(rules, facts))]
            facts += follow(rules, facts, seen, chance)
        facts += follow(rules, facts, moves, chance)
    return facts


def visible_facts(facts: Iterable[Fact], seat: int) -> list[Fact]:
    """Return those of the facts that this seat may know."""
    return [fact for fact in facts if may_know(fact, seat)]
