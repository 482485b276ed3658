"""The facts of Peco Peco: what happened, in the past tense, each with its audience.

A hidden fact moves cards; the public fact before it changes the sizes that everybody sees. So
every viewer's counts are right, and cards are known only to their audience.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

from games.core.contract import Audience, Fact
from games.peco_peco.rules.cards import Card, Hand
from games.peco_peco.rules.midway_facts import LaidUnder, StartedMidway
from games.peco_peco.rules.options import Options

EndReason = Literal["set", "pile", "others_left"]


@dataclass(frozen=True, slots=True)
class GameStarted(Fact):
    """So many seats, numbered clockwise from 0, sat down under these options."""

    kind: ClassVar[str] = "game_started"
    audience: ClassVar[Audience] = None
    seats: int
    options: Options


@dataclass(frozen=True, slots=True)
class FoodShuffled(Fact):
    """The order of the Food pile, top first; nobody may know it (Q4).

    It follows the shuffle, and each stake that is turned up.
    """

    kind: ClassVar[str] = "food_shuffled"
    audience: ClassVar[Audience] = ()
    stakes: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class RoundStarted(Fact):
    """A stake was turned up, and all Animal cards are in the pile again (Q5, Q6, Q8)."""

    kind: ClassVar[str] = "round_started"
    audience: ClassVar[Audience] = None
    new_deal: ClassVar[bool] = True
    number: int
    stake: str
    starter: int


@dataclass(frozen=True, slots=True)
class SoloJoined(Fact):
    """The single player of a game in teams joined the side of this seat (Q42)."""

    kind: ClassVar[str] = "solo_joined"
    audience: ClassVar[Audience] = None
    seat: int
    partner: int


@dataclass(frozen=True, slots=True)
class HandsDealt(Fact):
    """How many cards each seat was dealt (Q6, Q35)."""

    kind: ClassVar[str] = "hands_dealt"
    audience: ClassVar[Audience] = None
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandReceived(Fact):
    """The cards a seat was dealt or drew; nobody else may know them (Q6, Q19, Q29)."""

    kind: ClassVar[str] = "hand_received"
    seat: int
    cards: Hand = field(repr=False)

    @property
    def audience(self) -> Audience:
        return (self.seat,)


@dataclass(frozen=True, slots=True)
class CardTurned(Fact):
    """The first card of the discard was turned up; its icon does nothing (Q6, Q9)."""

    kind: ClassVar[str] = "card_turned"
    audience: ClassVar[Audience] = None
    card: Card


@dataclass(frozen=True, slots=True)
class PileShuffled(Fact):
    """The order of the draw pile, top first; nobody may know it (Q6, Q27)."""

    kind: ClassVar[str] = "pile_shuffled"
    audience: ClassVar[Audience] = ()
    cards: Hand = field(repr=False)


@dataclass(frozen=True, slots=True)
class DiscardReshuffled(Fact):
    """The discard except its top card became the draw pile (Q27)."""

    kind: ClassVar[str] = "discard_reshuffled"
    audience: ClassVar[Audience] = None


@dataclass(frozen=True, slots=True)
class CardPlayed(Fact):
    """A seat played a card; `called` says whether it called "Peco Peco!" (Q14, Q28, Q43)."""

    kind: ClassVar[str] = "card_played"
    audience: ClassVar[Audience] = None
    seat: int
    card: Card
    called: bool


@dataclass(frozen=True, slots=True)
class CardsDrawn(Fact):
    """A seat drew so many cards (Q19, Q29)."""

    kind: ClassVar[str] = "cards_drawn"
    audience: ClassVar[Audience] = None
    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CardStolen(Fact):
    """A card of the victim went under the discard by a steal icon (Q30)."""

    kind: ClassVar[str] = "card_stolen"
    audience: ClassVar[Audience] = None
    thief: int
    victim: int


@dataclass(frozen=True, slots=True)
class CallForgotten(Fact):
    """A seat played its last but one card without the call: its last is discarded (Q43)."""

    kind: ClassVar[str] = "call_forgotten"
    audience: ClassVar[Audience] = None
    seat: int


@dataclass(frozen=True, slots=True)
class HandDiscarded(Fact):
    """A seat put its remaining cards under the discard, unseen (Q34)."""

    kind: ClassVar[str] = "hand_discarded"
    audience: ClassVar[Audience] = None
    seat: int


@dataclass(frozen=True, slots=True)
class CardsBuried(Fact):
    """The cards that went unseen from a hand under the discard; their owner knows (Q30, Q34)."""

    kind: ClassVar[str] = "cards_buried"
    seat: int
    cards: Hand = field(repr=False)

    @property
    def audience(self) -> Audience:
        return (self.seat,)


@dataclass(frozen=True, slots=True)
class Declared(Fact):
    """A seat said that it cannot play; true or false, it looks the same (Q13)."""

    kind: ClassVar[str] = "declared"
    audience: ClassVar[Audience] = None
    seat: int


@dataclass(frozen=True, slots=True)
class BluffAdmitted(Fact):
    """The accused could have played; the hand is not shown (Q18)."""

    kind: ClassVar[str] = "bluff_admitted"
    audience: ClassVar[Audience] = None
    accuser: int
    accused: int


@dataclass(frozen=True, slots=True)
class HonestyShown(Fact):
    """The accused could not play: the hand is shown and goes under the discard (Q19)."""

    kind: ClassVar[str] = "honesty_shown"
    audience: ClassVar[Audience] = None
    accuser: int
    accused: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class CardTaken(Fact):
    """A seat took a card at random from another's hand (Q18, Q19)."""

    kind: ClassVar[str] = "card_taken"
    audience: ClassVar[Audience] = None
    taker: int
    giver: int


@dataclass(frozen=True, slots=True)
class CardPassed(Fact):
    """Which card was taken; its new and its former owner know (B10, 9)."""

    kind: ClassVar[str] = "card_passed"
    taker: int
    giver: int
    card: Card = field(repr=False)

    @property
    def audience(self) -> Audience:
        return (self.taker, self.giver)


@dataclass(frozen=True, slots=True)
class OutOfRound(Fact):
    """A seat without cards that did not play the top card is out of the round (Q15)."""

    kind: ClassVar[str] = "out_of_round"
    audience: ClassVar[Audience] = None
    seat: int


@dataclass(frozen=True, slots=True)
class SlapWaived(Fact):
    """A seat does not want to accuse the last declaration (Q33)."""

    kind: ClassVar[str] = "slap_waived"
    audience: ClassVar[Audience] = None
    aside: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True, slots=True)
class SlapWindowClosed(Fact):
    """The next player may act from now on (Q33)."""

    kind: ClassVar[str] = "slap_window_closed"
    audience: ClassVar[Audience] = None


@dataclass(frozen=True, slots=True)
class RoundEnded(Fact):
    """The round is over: its winner takes the stake; None is a general defeat (Q24 to Q26)."""

    kind: ClassVar[str] = "round_ended"
    audience: ClassVar[Audience] = None
    winner: int | None


@dataclass(frozen=True, slots=True)
class RoundSeen(Fact):
    """A seat has seen how the round ended."""

    kind: ClassVar[str] = "round_seen"
    audience: ClassVar[Audience] = None
    aside: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True, slots=True)
class Left(Fact):
    """A seat left the game; its hand is played until the round ends (C5)."""

    kind: ClassVar[str] = "left"
    audience: ClassVar[Audience] = None
    aside: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True, slots=True)
class Removed(Fact):
    """The round is over, and a seat that left during it takes no further part (C5)."""

    kind: ClassVar[str] = "removed"
    audience: ClassVar[Audience] = None
    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded(Fact):
    """The game is over (Q37, Q38)."""

    kind: ClassVar[str] = "game_ended"
    audience: ClassVar[Audience] = None
    reason: EndReason


FACTS: Final[Mapping[str, type[Fact]]] = {
    fact.kind: fact
    for fact in (
        GameStarted,
        StartedMidway,
        LaidUnder,
        FoodShuffled,
        RoundStarted,
        SoloJoined,
        HandsDealt,
        HandReceived,
        CardTurned,
        PileShuffled,
        DiscardReshuffled,
        CardPlayed,
        CardsDrawn,
        CardStolen,
        CallForgotten,
        HandDiscarded,
        CardsBuried,
        Declared,
        BluffAdmitted,
        HonestyShown,
        CardTaken,
        CardPassed,
        OutOfRound,
        SlapWaived,
        SlapWindowClosed,
        RoundEnded,
        RoundSeen,
        Left,
        Removed,
        GameEnded,
    )
}
