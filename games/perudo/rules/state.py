"""The state of a game as one viewer knows it: `evolve` builds it, questions read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from games.core.contract import Sealed
from games.perudo.rules.bids import Bid, ceiling
from games.perudo.rules.events import Call, Hand
from games.perudo.rules.options import Options

Phase = Literal["turn", "claims", "reveal", "over"]


@dataclass(frozen=True)
class RoundResult:
    """How a round ended: the bid, who called what on it, the dice and who lost or regained one."""

    number: int
    opener: int
    palifico: int | None
    bids: tuple[tuple[int, Bid], ...]
    call: Call
    caller: int
    hands: tuple[Hand, ...]
    count: int
    loser: int | None = None
    gainer: int | None = None
    eliminated: tuple[int, ...] = ()

    @property
    def bidder(self) -> int:
        return self.bids[-1][0]

    @property
    def bid(self) -> Bid:
        return self.bids[-1][1]


@dataclass(frozen=True)
class State:
    """A game as far as one viewer knows it; seats are numbered clockwise from 0 (P3).

    `dice` follows from public facts; at tables that hide lost dice (P45) pages must use
    `shown_dice` instead. `hands` holds only what this viewer knows: None is sealed.
    """

    options: Options
    seats: int
    phase: Phase
    dice: tuple[int, ...]
    hands: tuple[Hand | None, ...] = field(repr=False)
    number: int = 0
    first_round: int = 1  # later where the game began in the middle of another
    opener: int = 0
    turn: int = 0
    palifico: int | None = None
    bids: tuple[tuple[int, Bid], ...] = ()
    claims: tuple[int, ...] = ()
    confirmed: frozenset[int] = frozenset()
    starter_rolls: tuple[tuple[tuple[int, Hand], ...], ...] = ()
    result: RoundResult | None = None
    announced: int | None = None
    have_been_palifico: frozenset[int] = frozenset()
    gone: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    active: tuple[int, ...] = field(init=False, repr=False)  # the seats that have dice

    def __post_init__(self) -> None:
        object.__setattr__(self, "active", seats_with_dice(self.dice))

    @property
    def last_bid(self) -> Bid | None:
        return self.bids[-1][1] if self.bids else None

    @property
    def bidder(self) -> int | None:
        return self.bids[-1][0] if self.bids else None

    @property
    def most(self) -> int:
        """The largest number that may be bid at this table (P9)."""
        return ceiling(self.seats)

    def left_of(self, seat: int) -> int:
        """The next active seat to the left, clockwise (P3); the seat itself when it is alone."""
        dice, seats = self.dice, self.seats
        for step in range(1, seats + 1):
            if dice[(seat + step) % seats]:
                return (seat + step) % seats
        raise LookupError("nobody has dice")

    def hand(self, seat: int) -> Hand:
        """The dice of a seat; Sealed when this viewer does not know them."""
        hand = self.hands[seat]
        if hand is None:
            raise Sealed(f"the dice of seat {seat} are hidden")
        return hand


def seats_with_dice(dice: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat, left in enumerate(dice) if left)


# --- questions ------------------------------------------------------------------------------------


def in_play(state: State) -> tuple[int, ...]:
    """The seats that still have dice, in order."""
    return state.active


def finished_round(state: State) -> RoundResult | None:
    """The round that has just ended, while it is shown; None otherwise."""
    return state.result


def shown_dice(state: State, viewer: int | None) -> tuple[int | None, ...]:
    """How many dice each seat has, as far as `viewer` (a seat, or None) is shown (P43 to P45).

    None hides a number. Where lost dice are hidden, viewers see their own number, that eliminated
    seats have none, and every number during a reveal.
    """
    if state.options.lost_dice_visible or state.phase in ("reveal", "over"):
        return state.dice
    return tuple(
        dice if dice == 0 or seat == viewer else None for seat, dice in enumerate(state.dice)
    )
