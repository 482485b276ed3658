"""Whole games at random, for any game: every kind of move, players who leave, the scheduler."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.core.chance import SeededChance
from games.core.contract import VERSION, Chance, Fact, Rules, fold, may_know
from games.core.game_record import Record
from games.core.moves import Leave

NAMES = ("Ana", "Bo", "Cleo", "Dag", "Éloïse", "Finn", "Gus", 'Hal "the cat"')


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311


@dataclass(frozen=True)
class Arena:
    """What the tests of the contract need to know about one game."""

    rules: Rules
    presets: Mapping[str, Any]
    choices: Mapping[str, tuple[Any, ...]]  # every setting with its values
    universe: Callable[[Any], list[Any]]  # every move that could be thought of in a state
    choose: Callable[[list[Any], random.Random], Any]  # one of these legal moves
    due_share: float  # how often the scheduler moves in a random game
    sampled: float  # the share of positions in which every move of `universe` is tried
    is_whole: Callable[[Any], bool]  # whether no die or card was lost or doubled
    as_known: Callable[[Any, int | None], Any]  # without what this viewer need not know
    secrets: Callable[[Any, int | None], list[Any]]  # what is there that it must not know
    with_other_secrets: Callable[[Any, int, random.Random], Any]  # the same position for this seat
    positions: Callable[[], Iterable[Any]] = tuple  # rare ones that random games do not reach
    unmet_reasons: frozenset[str] = frozenset()  # that no move of `universe` is refused for
    rare_kinds: frozenset[str] = frozenset()  # of facts and moves that these games may not reach

    def options(self, generator: random.Random) -> Any:
        chosen = {name: generator.choice(values) for name, values in self.choices.items()}
        return type(next(iter(self.presets.values())))(**chosen)


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
    arena: Arena,
    generator: random.Random,
    *,
    leaving: float,
    seats: int | None = None,
    options: Any = None,
    version: int = VERSION,
    chance: Chance | None = None,
) -> Iterator[Step]:
    """A random game from its first fact to its end; some seats leave, and the scheduler moves.

    `version` is that of the rules it is judged by, `chance` what its dice and cards come from.
    """
    rules = arena.rules
    seats = seats or generator.choice(rules.SEATS)
    options = options or arena.options(generator)
    chance = chance or SeededChance(generator)
    opening = rules.start(seats, options, chance)
    state = fold(rules, opening)
    yield Step(seats, None, -1, None, opening, state)
    staying = list(range(seats))
    while state.phase != "over":
        if generator.random() < leaving:
            leaver = generator.choice([seat for seat in staying if seat in rules.in_play(state)])
            staying.remove(leaver)
            moves = [(leaver, Leave())]
        elif generator.random() < arena.due_share:
            moves = rules.due_moves(state)
        else:
            seat = generator.choice(rules.to_act(state))
            moves = [(seat, arena.choose(rules.legal_moves(state, seat), generator))]
        for seat, move in moves:
            facts = rules.decide(state, seat, move, chance, version=version)
            after = fold(rules, facts, state)
            yield Step(seats, state, seat, move, facts, after)
            state = after


def facts_of(game: Iterable[Step]) -> list[Fact]:
    return [fact for step in game for fact in step.facts]


def record_of(arena: Arena, game: Iterable[Step]) -> Record:
    facts = facts_of(game)
    seats: int = facts[0].seats  # type: ignore[attr-defined]
    return Record(arena.rules.KEY, NAMES[:seats], tuple(facts), date="2024-02-29")


class Viewers:
    """What each seat and a spectator (None) know of a game, fact by fact."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self._rules = rules
        self.known: dict[int | None, Any] = dict.fromkeys((None, *range(seats)))

    def learn(self, facts: Iterable[Fact]) -> None:
        """Fold each fact for those who may know it, in this order."""
        for fact in facts:
            for viewer, state in self.known.items():
                if may_know(fact, viewer):
                    self.known[viewer] = self._rules.evolve(state, fact)
