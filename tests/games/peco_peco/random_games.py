"""Whole games of Peco Peco at random: every kind of move, players who leave, the scheduler."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from games.core.chance import SeededChance
from games.core.contract import Fact, fold
from games.peco_peco import rules
from games.peco_peco.rules.cards import CARDS
from games.peco_peco.rules.moves import (
    Accuse,
    Confirm,
    Declare,
    JoinTeam,
    Move,
    Play,
    Waive,
)
from games.peco_peco.rules.options import CHOICES, Options
from games.peco_peco.rules.state import State


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311


def any_options(generator: random.Random) -> Options:
    return Options(**{name: generator.choice(values) for name, values in CHOICES.items()})


def universe(state: State) -> list[Move]:
    """Every move of play that could be thought of at this table, and some that cannot be."""
    seats = [None, *range(-1, state.seats + 1)]
    plays = [Play(*play) for play in product(CARDS, seats, (False, True))]
    joins = [JoinTeam(seat) for seat in range(state.seats + 1)]
    return [*plays, *joins, Declare(), Accuse(), Waive(), Confirm()]


@dataclass(frozen=True)
class Step:
    """A move in a random game: the state it was made in, and what followed."""

    before: State | None
    seat: int
    move: Move | None
    facts: list[Fact]
    after: State


def steps(
    generator: random.Random,
    *,
    leaving: float = 0.002,
    seats: int | None = None,
    options: Options | None = None,
) -> Iterator[Step]:
    """A random game from its first fact to its end; sometimes the scheduler plays."""
    options = options or any_options(generator)
    seats = seats or generator.choice(rules.SEATS)
    chance = SeededChance(generator)
    facts = rules.start(seats, options, chance)
    state: State = fold(rules, facts)
    yield Step(None, -1, None, facts, state)
    while rules.phase(state) != "over":
        for seat, move in some_moves(state, generator, leaving=leaving):
            facts = rules.decide(state, seat, move, chance)
            after = fold(rules, facts, state)
            yield Step(state, seat, move, facts, after)
            state = after


def some_moves(state: State, generator: random.Random, *, leaving: float) -> list[tuple[int, Any]]:
    if generator.random() < leaving:
        staying = [seat for seat in state.in_play if seat not in state.gone]
        return [(generator.choice(staying), rules.leave_move())]
    if generator.random() < 0.1:
        return rules.due_moves(state)
    seat = generator.choice(rules.to_act(state))
    legal = rules.legal_moves(state, seat)
    kind = generator.choice(sorted({move.kind for move in legal}))
    return [(seat, generator.choice([move for move in legal if move.kind == kind]))]


def facts_of(game: Iterator[Step]) -> list[Fact]:
    return [fact for step in game for fact in step.facts]
