"""Games up to a position: moves written down and played by the rules, as tutorials need them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.core.contract import Chance, Fact, Rules, fold, may_know
from games.core.moves import Confirm

Moves = Iterable[tuple[int, Any]]  # (seat, move), in order


def follow(rules: Rules, facts: Iterable[Fact], moves: Moves, chance: Chance) -> list[Fact]:
    """What follows from these moves after those facts; IllegalMove for one that is refused."""
    state, following = fold(rules, facts), []
    for seat, move in moves:
        new = rules.decide(state, seat, move, chance)
        state = fold(rules, new, state)
        following += new
    return following


def play_rounds(
    rules: Rules, begun: Iterable[Fact], rounds: Iterable[Moves], chance: Chance
) -> list[Fact]:
    """The facts of a game that begins with these facts, up to the last move of the last round.

    After every round but the last, all who are to acknowledge its end do.
    """
    facts = list(begun)
    for number, moves in enumerate(rounds):
        if number:
            seen = [(seat, Confirm()) for seat in rules.to_act(fold(rules, facts))]
            facts += follow(rules, facts, seen, chance)
        facts += follow(rules, facts, moves, chance)
    return facts


def visible_facts(facts: Iterable[Fact], seat: int) -> list[Fact]:
    """What this seat was told of these facts."""
    return [fact for fact in facts if may_know(fact, seat)]
