"""The text form of a record: a few header lines, then one line a round, for people to read.

    3. C opens palifico | A P2346 B 22456 C 5 | C 1x5, A 2x5, B dudo: 2, B loses

A seat is a letter, a paco is P. The text leaves out in which order players confirmed a reveal, and
nothing else. It is not read back; the JSON form is (`games.core.game_record`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.core import game_record
from games.core.contract import Fact
from games.core.game_record import Record
from games.core.game_record import seat_letter as _seat
from games.perudo import rules
from games.perudo.rules.bids import PACO
from games.perudo.rules.events import (
    BidMade,
    CalzaClaimed,
    DieLost,
    DieRegained,
    Eliminated,
    Hand,
    Left,
    PalificoAnnounced,
    Revealed,
    Rolled,
    RoundStarted,
    StartedMidway,
    StarterRolled,
)


def to_text(record: Record) -> str:
    """The record for people; RecordError when it is not the record of a finished game."""
    return game_record.to_text(rules, record, title="Perudo", rounds=_rounds)


def _rounds(facts: Iterable[Fact]) -> Iterator[str]:
    """One line for each roll for the start, or for where it starts, and one for each round."""
    opening = ""
    hands: list[str] = []
    events: list[str] = []
    for fact in facts:
        match fact:
            case StartedMidway():
                dice = " ".join(f"{_seat(seat)} {each}" for seat, each in enumerate(fact.dice))
                yield f"Starts in the middle, at round {fact.number}: {dice}"
            case StarterRolled():
                rolls = " ".join(f"{_seat(seat)} {_dice(dice)}" for seat, dice in fact.rolls)
                yield f"Starter: {rolls}"
            case RoundStarted():
                if opening:
                    yield _line(opening, hands, events)
                palifico = "" if fact.palifico is None else " palifico"
                opening = f"{fact.number}. {_seat(fact.opener)} opens{palifico}"
                hands, events = [], []
            case Rolled():
                hands.append(f"{_seat(fact.only)} {_dice(fact.dice)}")
            case _:
                event = _event(fact)
                if event:
                    events.append(event)
    if opening:
        yield _line(opening, hands, events)


def _line(opening: str, hands: Sequence[str], events: Sequence[str]) -> str:
    return f"{opening} | {' '.join(hands)} | {', '.join(events)}"


def _event(fact: Fact) -> str | None:
    match fact:
        case BidMade():
            return f"{_seat(fact.seat)} {fact.bid}"
        case Revealed():
            return f"{_seat(fact.caller)} {fact.call}: {fact.count}"
        case CalzaClaimed():
            return f"{_seat(fact.seat)} claims"
        case Left():
            return f"{_seat(fact.seat)} leaves"
        case DieLost():
            return f"{_seat(fact.seat)} loses"
        case DieRegained():
            return f"{_seat(fact.seat)} regains"
        case Eliminated():
            return f"{_seat(fact.seat)} out"
        case PalificoAnnounced():
            return f"{_seat(fact.seat)} palifico"
    return None


def _dice(dice: Hand) -> str:
    return "".join("P" if die == PACO else str(die) for die in dice)
