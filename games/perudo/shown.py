"""What the templates of Perudo show of a table and of a seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.contract.shown import NamedSeat, Own, Place, ShownSeat
from games.table.out_of_game import OutOfGame


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownBid:
    """A bid."""

    quantity: int
    face: int


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeBid(ShownBid):
    """A bid with its player."""

    seat: int
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenDie:
    """A die on the open table.

    `matches`: it counts for the bid (P12, P25). `order` is the step of a reveal at which it shows;
    `meets` marks the die that brings the count to the bid.
    """

    face: int
    matches: bool
    order: str | None = None
    meets: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatView(ShownSeat):
    """A seat at the table."""

    out: bool
    dice: int | None  # how many; None: hidden
    lost: int | None
    turn: bool
    next: bool
    palifico: bool
    bid: ShownBid | None  # its last
    earlier: bool  # that bid is older than the last two
    bidder: bool  # of the bid on the table
    confirmed: bool
    looked: bool  # has confirmed the reveal on the table
    shout: str | None  # the call that stands over it
    says: str  # a phrase of a bot
    mood: str  # of its face, see `reveal.moods`
    mood_order: str | None  # the step of a reveal at which its mood shows; None: it is older
    change: str | None  # what the reveal did to its dice: "loss" or "gain"
    judged: bool  # dice that do not match the bid are dimmed
    opens: str | None  # the step of a reveal at which its cup lifts
    hand: Sequence[OpenDie] | None
    place: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """The call, the count and what became of the dice; the times in ms are of the animation."""

    call: str
    caller: SeatView
    bidder: SeatView
    bid: ShownBid
    count: int
    lasts_ms: int
    call_ms: int
    step_ms: int
    order: str | None  # the step of the verdict
    right: bool  # whether the caller was
    loser: SeatView | None
    gainer: SeatView | None
    eliminated: Sequence[SeatView]
    palifico: SeatView | None  # who is down to one die


@dataclass(frozen=True, kw_only=True, slots=True)
class Roll:
    """A seat's dice in a roll that decides who starts."""

    seat: SeatView
    dice: Sequence[int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """The table, the same for all viewers; the defaults are those of a table that is not live.

    `total` are the dice in play, None where they are hidden. `held` and `open` are of a question
    that has been answered: the dice of its seat, and the same while the cups are up.
    """

    phase: str
    round: int
    seats: Sequence[SeatView]
    bid: MadeBid | None
    bids: Sequence[MadeBid]
    turn: SeatView | None
    next: SeatView | None  # who plays after that
    palifico: SeatView | None
    total: int | None
    lost_total: int | None
    most: int
    result: Result | None
    starter_rolls: Sequence[Sequence[Roll]]
    starter: str  # why the first player starts
    ranking: Sequence[Place]
    stood_in: Sequence[SeatView]
    reason: str | None  # why the game ended
    narration: str
    seq: int = 0
    due_ms: int | None = None
    opens_ms: int | None = None
    turn_seconds: int | None = None
    odds: bool = False
    rated: bool = False
    earlier: int | None = None  # see `presenter.last_earlier_round`
    held: Sequence[int] = ()
    open: Sequence[OpenDie] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Hand:
    """A player's dice in a round of the story."""

    number: int
    name: str
    dice: Sequence[OpenDie]


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundView:
    """A round of the story."""

    number: int
    bid: ShownBid
    call: str
    count: int
    hands: Sequence[Hand]
    bidder: NamedSeat
    caller: NamedSeat
    loser: NamedSeat | None
    gainer: NamedSeat | None


@dataclass(frozen=True, kw_only=True, slots=True)
class FaceChoice:
    """A face of the control of a bid, with the numbers that may be bid on it."""

    face: int
    legal: bool
    min: int | None
    max: int | None
    checked: bool
    chance: str | None = None  # at a table that shows odds


@dataclass(frozen=True, kw_only=True, slots=True)
class Controls:
    """What a player may do, for `_controls.html`.

    `can_prepare`: they may choose their next bid while others think.
    """

    faces: Sequence[FaceChoice] = ()
    quantity: int | None = None  # of the bid that is ready
    most: int = 0
    can_bid: bool = False
    can_prepare: bool = False
    can_dudo: bool = False
    can_calza: bool = False
    opens_ms: int | None = None

    @property
    def any(self) -> bool:
        return self.can_bid or self.can_prepare or self.can_dudo or self.can_calza


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A result as told to one viewer."""

    order: str | None  # the step at which it shows
    verdict: str  # who was right
    consequence: str  # what became of the dice


@dataclass(frozen=True, kw_only=True, slots=True)
class LastOdds:
    """How likely the last bid is true for a seat, in words; None before the first bid.

    `informed` listens to what the others bid besides; None where that makes no visible difference.
    """

    plain: str | None = None
    informed: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnView(Own):
    """What a viewer holds and may do."""

    round: int | None = None
    result: Told | None = None
    open: Sequence[OpenDie] | None = None
    became: str | None = None  # what the reveal did to the seat's dice: "loss" or "gain"
    hand: Sequence[int] = ()
    choice: str = ""  # names the bid that a choice is for
    opens_round: bool = False
    odds: LastOdds | None = None
    controls: Controls = Controls()
    outside: OutOfGame | None = None  # for a player who is out
