"""The facts of Perudo: what happened, in the past tense, each with its audience."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

from games.core.contract import Audience, Fact
from games.perudo.rules.bids import Bid
from games.perudo.rules.options import Options

Hand = tuple[int, ...]
Call = Literal["dudo", "calza"]


@dataclass(frozen=True, slots=True)
class GameStarted(Fact):
    """A game began with so many seats, numbered clockwise from 0, and these options (P1, P3)."""

    kind: ClassVar[str] = "game_started"
    audience: ClassVar[None] = None
    seats: int
    options: Options


@dataclass(frozen=True, slots=True)
class StartedMidway(Fact):
    """The game begins in the middle of another, at its round `number`: the dice of each seat, the
    seats that are out in the order in which they went, and those that were palifico (P29).
    """

    kind: ClassVar[str] = "started_midway"
    audience: ClassVar[None] = None
    number: int
    dice: tuple[int, ...]
    out: tuple[int, ...]
    have_been_palifico: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StarterRolled(Fact):
    """Seats rolled for who opens: (seat, dice) each; only tied seats roll again (P4)."""

    kind: ClassVar[str] = "starter_rolled"
    audience: ClassVar[None] = None
    rolls: tuple[tuple[int, Hand], ...]


@dataclass(frozen=True, slots=True)
class RoundStarted(Fact):
    """A round began; `palifico` is the seat whose palifico round it is, or None (P22, P24)."""

    kind: ClassVar[str] = "round_started"
    audience: ClassVar[None] = None
    new_deal: ClassVar[bool] = True
    number: int
    opener: int
    palifico: int | None


@dataclass(frozen=True, slots=True)
class Rolled(Fact):
    """The seat `only` rolled; no other seat may know what (P6). Sorted, pacos first."""

    kind: ClassVar[str] = "rolled"
    only: int
    dice: Hand = field(repr=False)

    @property
    def audience(self) -> Audience:
        return (self.only,)


@dataclass(frozen=True, slots=True)
class BidMade(Fact):
    """The seat on turn made a bid (P8, P9)."""

    kind: ClassVar[str] = "bid_made"
    audience: ClassVar[None] = None
    seat: int
    bid: Bid


@dataclass(frozen=True, slots=True)
class CalzaClaimed(Fact):
    """A seat out of turn called the last bid exact; it prevails unless overruled (P40, P41)."""

    kind: ClassVar[str] = "calza_claimed"
    audience: ClassVar[None] = None
    aside: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True, slots=True)
class Revealed(Fact):
    """All dice were shown: every hand by seat, empty when out, and the count (P19, P33, P46)."""

    kind: ClassVar[str] = "revealed"
    audience: ClassVar[None] = None
    call: Call
    caller: int
    hands: tuple[Hand, ...]
    count: int


@dataclass(frozen=True, slots=True)
class DieLost(Fact):
    """A seat lost a die (P20, P34)."""

    kind: ClassVar[str] = "die_lost"
    audience: ClassVar[None] = None
    seat: int


@dataclass(frozen=True, slots=True)
class DieRegained(Fact):
    """A seat won back a die by an exact calza (P34)."""

    kind: ClassVar[str] = "die_regained"
    audience: ClassVar[None] = None
    seat: int


@dataclass(frozen=True, slots=True)
class PalificoAnnounced(Fact):
    """A seat is down to one die: the next round is its palifico round (P23, P24)."""

    kind: ClassVar[str] = "palifico_announced"
    audience: ClassVar[None] = None
    seat: int


@dataclass(frozen=True, slots=True)
class Eliminated(Fact):
    """A seat is out of the game: it has no dice left, or it left and the round ended (P21)."""

    kind: ClassVar[str] = "eliminated"
    audience: ClassVar[None] = None
    seat: int


@dataclass(frozen=True, slots=True)
class RevealSeen(Fact):
    """A seat confirmed that it has seen the dice (P46)."""

    kind: ClassVar[str] = "reveal_seen"
    audience: ClassVar[None] = None
    aside: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True, slots=True)
class Left(Fact):
    """A seat left the game; its dice stay in play until the round ends."""

    kind: ClassVar[str] = "left"
    audience: ClassVar[None] = None
    aside: ClassVar[bool] = True
    seat: int


FACTS: Final[Mapping[str, type[Fact]]] = {
    fact.kind: fact
    for fact in (
        GameStarted,
        StartedMidway,
        StarterRolled,
        RoundStarted,
        Rolled,
        BidMade,
        CalzaClaimed,
        Revealed,
        DieLost,
        DieRegained,
        PalificoAnnounced,
        Eliminated,
        RevealSeen,
        Left,
    )
}
