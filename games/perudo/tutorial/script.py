"""How a position comes about: the luck and the moves, written down and played by the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from games.core.contract import Chance, Fact
from games.perudo.rules import decide, start, to_act
from games.perudo.rules.bids import PACO
from games.perudo.rules.moves import Confirm, Move
from games.perudo.rules.options import SITE_OPTIONS, Options
from games.perudo.rules.state import State, evolve

LEARNER: Final = 0  # the learner's seat

SeatMoves = tuple[tuple[int, Move], ...]


@dataclass(frozen=True)
class Round:
    """The hands by seat, written as `P3346`, and the moves of the seats, in order."""

    hands: tuple[str, ...]
    moves: SeatMoves = ()


@dataclass(frozen=True, kw_only=True)
class Script:
    """A game up to a question. Every round but the last ends with a reveal that all have seen."""

    opener: int
    rounds: tuple[Round, ...]
    seats: int = 2
    options: Options = SITE_OPTIONS

    @property
    def luck(self) -> Iterator[int]:
        """The numbers of chance, in the order in which the engine asks for them."""
        yield self.opener
        for each in self.rounds:
            for hand in each.hands:
                yield from (PACO if face == "P" else int(face) for face in hand)

    def play(self, chance: Chance) -> list[Fact]:
        """The facts up to the question; `chance` hands out `luck`."""
        facts = start(self.seats, self.options, chance)
        for number, each in enumerate(self.rounds):
            if number:
                for seat in to_act(state_after(facts)):
                    facts += decide(state_after(facts), seat, Confirm(), chance)
            facts += follow(facts, each.moves, chance)
        return facts


def follow(facts: Iterable[Fact], moves: SeatMoves, chance: Chance) -> list[Fact]:
    """The facts that follow from these moves after those facts."""
    state, following = state_after(facts), []
    for seat, move in moves:
        new = decide(state, seat, move, chance)
        state = state_after(new, state)
        following += new
    return following


def state_after(facts: Iterable[Fact], state: State | None = None) -> State:
    """The state after some facts, from `state` or from nothing."""
    for fact in facts:
        state = evolve(state, fact)
    assert state is not None, "a game begins with a fact"  # noqa: S101
    return state
