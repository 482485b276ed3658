"""Whole games at random, for any game of the catalogue: every kind of move, leavers, the clock."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from games.core.contract import fold
from games.rules import rules_of
from games.rules.contract import Fact, Rules
from games.rules.perudo.bids import Bid
from games.rules.perudo.events import Rolled
from games.rules.perudo.moves import Calza, Confirm, Dudo
from games.rules.perudo.options import CHOICES, Options


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311


class SeededChance:
    """Luck that repeats."""

    def __init__(self, generator: random.Random) -> None:
        self._generator = generator

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(self._generator.choices(range(1, 7), k=count))

    def below(self, bound: int) -> int:
        return self._generator.randrange(bound)


@dataclass(frozen=True)
class Arena:
    """What the tests of every game must be told about one of them."""

    options: Callable[[random.Random], Any]
    universe: Callable[[Any], list[Any]]  # every move of play that could be thought of in a state
    other_hands: Callable[[list[Fact], int, random.Random], list[Fact]]
    boldness: Callable[[Any], int]


def perudo_options(generator: random.Random) -> Options:
    return Options(**{name: generator.choice(values) for name, values in CHOICES.items()})


def perudo_moves(state: Any) -> list[Any]:
    bids = [Bid(n, face) for n, face in product(range(state.most + 2), range(8))]
    return [*bids, Bid(-1, 2), Dudo(), Calza(), Confirm()]


def perudo_other_hands(facts: list[Fact], seat: int, generator: random.Random) -> list[Fact]:
    """The same game, but for the dice that the others have under their cups just now."""
    deal = max(at for at, fact in enumerate(facts) if fact.new_deal)
    chance = SeededChance(generator)
    return [
        Rolled(fact.only, chance.dice(len(fact.dice)))
        if at > deal and isinstance(fact, Rolled) and fact.only != seat
        else fact
        for at, fact in enumerate(facts)
    ]


def perudo_boldness(move: Any) -> int:
    return move.quantity if isinstance(move, Bid) else 0


ARENAS: Final[Mapping[str, Arena]] = {
    "perudo": Arena(perudo_options, perudo_moves, perudo_other_hands, perudo_boldness)
}


@dataclass(frozen=True)
class Step:
    """A move in a random game: the state it was made in, and what followed."""

    seats: int
    before: Any
    seat: int
    move: Any
    facts: list[Fact]
    after: Any


def steps(
    key: str, generator: random.Random, *, leaving: float = 0.02, options: Any = None
) -> Iterator[Step]:
    """A random game from its first move to its end; some seats leave, sometimes the clock plays."""
    rules = rules_of(key)
    seats = generator.choice(rules.SEATS)
    options = options or ARENAS[key].options(generator)
    chance = SeededChance(generator)
    opening = rules.start(seats, options, chance)
    state = fold(rules, opening)
    yield Step(seats, None, -1, None, opening, state)
    staying = list(range(seats))
    while rules.phase(state) != "over":
        here = [seat for seat in staying if seat in rules.in_play(state)]
        if generator.random() < leaving:
            leaver = generator.choice(here)
            staying.remove(leaver)
            moves = [(leaver, rules.leave_move())]
        else:
            moves = _some_moves(rules, state, generator)
        for seat, move in moves:
            facts = rules.decide(state, seat, move, chance)
            after = fold(rules, facts, state)
            yield Step(seats, state, seat, move, facts, after)
            state = after


def _some_moves(rules: Rules, state: Any, generator: random.Random) -> list[tuple[int, Any]]:
    if generator.random() < 0.2:
        return rules.due_moves(state)
    seat = generator.choice(rules.to_act(state))
    legal = rules.legal_moves(state, seat)
    kinds = Counter(move.kind for move in legal)
    common, others = max(kinds, key=lambda kind: kinds[kind]), sorted(kinds)
    kind = common if generator.random() < 0.5 else generator.choice(others)
    moves = sorted((move for move in legal if move.kind == kind), key=ARENAS[rules.KEY].boldness)
    few = moves[:8] if generator.random() < 0.8 else moves  # long rounds are worth testing too
    return [(seat, generator.choice(few))]


def facts_of(steps_of_a_game: Iterator[Step]) -> list[Fact]:
    return [fact for step in steps_of_a_game for fact in step.facts]
