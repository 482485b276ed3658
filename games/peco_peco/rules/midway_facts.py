"""The facts of a game that begins in the middle of another: the table as everybody saw it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from games.core.contract import Audience, Fact
from games.peco_peco.rules.cards import Card, Hand
from games.peco_peco.rules.options import Sides
from games.peco_peco.rules.scoring import Buffet
from games.peco_peco.rules.stakes import Direction


@dataclass(frozen=True, slots=True)
class StartedMidway(Fact):
    """The game begins in the middle of a round of another, with `seat` on turn.

    `stakes`: those turned up so far, the present one last. `under`: the cards under the discard
    that everybody saw. `buried`: how many of the others there `seat` put there, and knows.
    """

    kind: ClassVar[str] = "started_midway"
    audience: ClassVar[Audience] = None
    seat: int
    stakes: tuple[str, ...]
    sides: Sides
    buffets: tuple[Buffet, ...]
    sizes: tuple[int, ...]
    top: Card
    owner: int | None
    direction: Direction
    last_actor: int
    pending: tuple[int, ...]
    out: tuple[int, ...]
    declarer: int | None
    waived: tuple[int, ...]
    under: Hand
    under_size: int
    pile_size: int
    buried: int


@dataclass(frozen=True, slots=True)
class LaidUnder(Fact):
    """The cards that lay unseen under the discard: those that a seat knows, or that nobody does."""

    kind: ClassVar[str] = "laid_under"
    seat: int | None
    cards: Hand = field(repr=False)

    @property
    def audience(self) -> Audience:
        return () if self.seat is None else (self.seat,)
