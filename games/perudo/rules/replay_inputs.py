"""What replaying a recorded game needs: its beginning, its dice, and what caused a fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.core.contract import VERSION, Chance, Fact
from games.core.moves import Confirm, Leave
from games.perudo.rules import midway
from games.perudo.rules.events import (
    BidMade,
    CalzaClaimed,
    GameStarted,
    Left,
    Revealed,
    RevealSeen,
    Rolled,
    RoundStarted,
    StartedMidway,
    StarterRolled,
)
from games.perudo.rules.moves import Calza, Dudo, Move, SettleClaims
from games.perudo.rules.rounds import start
from games.perudo.rules.state import State


def restart(facts: Sequence[Fact], chance: Chance) -> list[Fact]:
    """The beginning of a recorded game, from its seats and options, or in the middle of another."""
    started = facts[0]
    if not isinstance(started, GameStarted):
        raise ValueError("a game begins with game_started")
    match facts[1:3]:
        case [StartedMidway() as position, RoundStarted() as opened]:
            return midway.start(started, position, opened, chance)
    return start(started.seats, started.options, chance)


def recorded_chance(facts: Iterable[Fact]) -> Iterator[int]:
    """The first opener where it was drawn (P4), and all dice, in their order."""
    drawn = False
    for fact in facts:
        match fact:
            case GameStarted():
                drawn = fact.options.starter == "random"
            case StartedMidway():
                drawn = False
            case StarterRolled():
                for _, dice in fact.rolls:
                    yield from dice
            case RoundStarted():
                if drawn:
                    yield fact.opener
                drawn = False
            case Rolled():
                yield from fact.dice


def cause(state: State, facts: Sequence[Fact], at: int) -> tuple[int, Move]:
    """Which seat made which move that the fact at this place is the first consequence of;
    ValueError when no move begins with it.
    """
    fact = facts[at]
    match fact:
        case BidMade():
            return fact.seat, fact.bid
        case CalzaClaimed():
            return fact.seat, Calza()
        case Revealed() if fact.call == "dudo":
            return fact.caller, Dudo()
        case Revealed() if fact.caller in state.claims:
            return fact.caller, SettleClaims()
        case Revealed():
            return fact.caller, Calza()
        case RevealSeen():
            return fact.seat, Confirm()
        case Left():
            return fact.seat, Leave()
    raise ValueError(f"{fact.kind} does not follow by itself")


def judged_by(facts: Sequence[Fact]) -> int:
    """The present rules: every version of them judges moves of Perudo alike."""
    return VERSION
