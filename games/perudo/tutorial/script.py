"""How a position comes about: the luck and the moves, written down and played by the engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.core.contract import Chance, Fact
from games.core.scripted_game import play_rounds
from games.perudo import rules
from games.perudo.rules.bids import PACO
from games.perudo.rules.moves import Move
from games.perudo.rules.options import SITE_OPTIONS, Options

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
        begun = rules.start(self.seats, self.options, chance)
        rounds = [each.moves for each in self.rounds]
        return play_rounds(rules, begun, rounds, chance)
