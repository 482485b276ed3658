"""What happened in the rounds of a game, read from its log, for statistics and the data export."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from games.contract.game_values import RecordedFact
from games.core.contract import Fact
from games.peco_peco.rules.cards import Hand
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    GameEnded,
    GameStarted,
    HandReceived,
    HonestyShown,
    RoundEnded,
    RoundStarted,
)
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff


@dataclass(frozen=True, slots=True)
class Accusation:
    """Who accused whom, and whether it was a bluff; `own`: the person made it themselves."""

    accuser: int
    accused: int
    bluff: bool
    own: bool


@dataclass(slots=True)
class Declaration:
    """A seat said that it cannot play. `bluff` is None where the hand is not known."""

    seat: int
    own: bool
    bluff: bool | None = field(repr=False)
    caught: bool = False


@dataclass(slots=True)
class PlayedRound:
    """A round as far as the facts that were read tell it; `seats` is how many play."""

    number: int
    seats: int
    hands: dict[int, Hand] = field(default_factory=dict, repr=False)  # as dealt
    accusations: list[Accusation] = field(default_factory=list)
    declarations: list[Declaration] = field(default_factory=list)
    moved: set[int] = field(default_factory=set)  # seats that made a move themselves
    over: bool = False
    winner: int | None = None
    won_by_own_card: bool = False
    completed_set: bool = False  # and with it the game was won

    def counted(self, declarations: Iterable[Declaration]) -> list[int]:
        """How many of these declarations each seat made, by seat."""
        counts = [0] * self.seats
        for each in declarations:
            counts[each.seat] += 1
        return counts

    @property
    def bluffs(self) -> list[Declaration]:
        return [each for each in self.declarations if each.bluff]


def played_rounds(events: Sequence[RecordedFact], *, seats: int) -> list[PlayedRound]:
    """The rounds that begin in these events, in order.

    Bluffs are found only in the whole log from the start of the game, with all that is hidden.
    """
    rounds: list[PlayedRound] = []
    state: State | None = None
    for event in events:
        fact = event.fact
        if isinstance(fact, RoundStarted):
            rounds.append(PlayedRound(fact.number, seats))
        elif rounds:
            _add(rounds[-1], fact, own=not event.automatic, state=state)
        if state is not None or isinstance(fact, GameStarted):
            state = evolve(state, fact)
    return rounds


def _add(played: PlayedRound, fact: Fact, *, own: bool, state: State | None) -> None:
    """Add a fact of a round; `state` is the one before it, None where it is not known."""
    match fact:
        case HandReceived(seat, cards) if state is not None and state.top is None:
            played.hands[seat] = cards
        case CardPlayed(seat):
            played.won_by_own_card = own
            _moved(played, seat, own=own)
        case Declared(seat):
            bluff = None if state is None else is_bluff(state, seat)
            played.declarations.append(Declaration(seat, own, bluff))
            _moved(played, seat, own=own)
        case BluffAdmitted(accuser, accused):
            played.declarations[-1].caught = True  # only the last one can be accused (Q17, Q33)
            played.accusations.append(Accusation(accuser, accused, True, own))
            _moved(played, accuser, own=own)
        case HonestyShown(accuser, accused):
            played.accusations.append(Accusation(accuser, accused, False, own))
            _moved(played, accuser, own=own)
        case RoundEnded(winner):
            played.over, played.winner = True, winner
        case GameEnded(reason):
            played.completed_set = reason == "set"


def _moved(played: PlayedRound, seat: int, *, own: bool) -> None:
    if own:
        played.moved.add(seat)


def accusations_as_json(played: PlayedRound) -> list[dict[str, object]]:
    """The accusations of a round as its row stores them, seats by number."""
    return [
        {"accuser": each.accuser, "accused": each.accused, "bluff": each.bluff}
        for each in played.accusations
    ]
