"""What the templates of Peco Peco show of a table and of a seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.contract.shown import NamedSeat, Own, Place, ShownSeat
from games.peco_peco.rules.cards import Card


@dataclass(frozen=True, kw_only=True, slots=True)
class Dishes:
    """The cards of one kind of dish that lie face up, and what they are worth together (Q38)."""

    food: str
    cards: int
    points: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Buffet:
    """What a seat has won (Q36 to Q41), for `_buffet.html`."""

    points: int
    foods: Sequence[Dishes]
    new: str | None  # the kind of dish that the round on the table has brought
    down: int  # the number of cards that lie face down
    tilted: Sequence[str]
    complete: bool
    completed: bool  # by the round on the table


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing(Buffet):
    """The same between two rounds, with the dishes that are missing for all three (Q37, Q41)."""

    missing: str


@dataclass(frozen=True, kw_only=True, slots=True)
class UnseenCards:
    """How many cards of a kind a seat has not seen; `sign`: see `_sign.html`."""

    sign: str
    name: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatView(ShownSeat):
    """A seat at the table. `hand`: where it lies open."""

    buffet: Buffet
    removed: bool  # left, and the round in which they did is over
    out: bool  # of the round
    size: int  # of the hand
    turn: bool
    next: bool
    near: bool
    owner: bool  # of the top card
    side: int | None  # the number of its team, if teams play
    shout: str | None  # see `last_step.shout`
    mood: str  # of its face: `sure` for a winner, otherwise see `last_step.mood`
    change: int  # see `last_step.change`
    won: bool  # the round
    confirmed: bool
    place: int | None
    hand: Sequence[Card] | None

    @property
    def points(self) -> int:
        return self.buffet.points


@dataclass(frozen=True, kw_only=True, slots=True)
class StakeView:
    """A Food card: its id, its rule, and both in words (Q2)."""

    id: str
    rule: str
    dishes: str
    rule_name: str
    rule_help: str
    prizes: Sequence[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenHand:
    """The hand that an accused player has just shown."""

    name: str
    hand: Sequence[Card]


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldMove:
    """A move of the round, told to everybody and to its player."""

    seat: int
    text: str
    you: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldSeat:
    """A sentence to the player at a seat."""

    seat: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Consequence:
    """What came of an accusation, told to everybody and to the two it is about."""

    text: str
    accuser: ToldSeat
    accused: ToldSeat


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """How a round ended."""

    winner: SeatView | None
    stake: StakeView
    last: bool  # it was the last round


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldCard:
    """A card of the own hand."""

    card: Card
    playable: bool = False
    steals: bool = False  # it needs a target
    chosen: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class LastStep:
    """The last move, as the table animates it and tells it."""

    kind: str  # see `last_step.kind`
    verdict: str  # see `last_step.verdict`
    happened: Sequence[str]
    shown: OpenHand | None
    consequence: Consequence | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """The table, the same for all viewers; the defaults are those of a table that is not live.

    `move` is the number of the last move, where it may be animated. `held` is the hand of the seat
    of a question that has been answered.
    """

    phase: str
    round: int
    most_rounds: int
    seats: Sequence[SeatView]
    turn: SeatView | None
    next: SeatView | None
    choosing: bool  # the player on turn chooses a team
    stake: StakeView
    direction: str
    direction_words: str
    top: Card | None
    owner: SeatView | None  # of the top card
    starter: SeatView
    begins: bool  # nobody has played yet
    declarer: SeatView | None
    last: LastStep
    moves: Sequence[ToldMove]
    result: Result | None
    ranking: Sequence[Place]
    winners: Sequence[str]
    stood_in: Sequence[SeatView]
    reason: str | None  # why the game ended
    narration: str
    move: int | None = None
    log: Sequence[str] = ()
    seq: int = 0
    due_ms: int | None = None
    turn_seconds: int | None = None
    rated: bool = False
    earlier: int | None = None  # see `presenter.last_earlier_round`
    held: Sequence[HeldCard] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundView:
    """A round of the story."""

    number: int
    stake: StakeView
    winner: NamedSeat | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Team:
    """A team that the single player may join (Q42)."""

    partner: int
    names: Sequence[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Controls:
    """What a player may do, for `_controls.html`.

    To declare is offered on every turn, to accuse to every entitled seat, whatever it holds (C4).
    `bluff` says what only this seat may know: that it could play (Q13).
    """

    can_play: bool = False
    fits: bool = False  # a card can be played
    bluff: bool = False
    victims: Sequence[NamedSeat] = ()
    call: bool = False
    can_accuse: bool = False
    accused: str | None = None
    can_waive: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Away:
    """For a seat that is out of the round: why, who plays on and for what."""

    why: str  # see `last_step.why_out`
    left: str
    stake: str
    last: bool  # it is the last round


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldResult:
    """What came of an accusation as told to one player: `good`, `bad` or `neutral` for them."""

    text: str
    effect: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnView(Own):
    """What a viewer holds and may do."""

    moves: Sequence[str] = ()
    hand: Sequence[HeldCard] = ()
    controls: Controls = Controls()
    waived: bool = False
    window: bool = False
    teams: Sequence[Team] = ()
    became: ToldResult | None = None
    buffet: Buffet | None = None
    standing: Standing | None = None
    away: Away | None = None
    just_out: bool = False
