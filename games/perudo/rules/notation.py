"""The text form of a record: a few header lines, then one line a round, for people to read.

    3. C opens palifico | A P2346 B 22456 C 5 | C 1x5, A 2x5, B dudo: 2, B loses

A seat is a letter, a paco is P. The text leaves out in which order players confirmed a reveal, and
nothing else. It is not read back; the JSON form is (`games.core.game_record`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.core.contract import Fact, Outcome
from games.core.game_record import SEAT_LETTERS, Record, header, replay
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
    StarterRolled,
)
from games.perudo.rules.state import outcome


def to_text(record: Record) -> str:
    """The record for people; RecordError when it is not the record of a finished game."""
    ended = outcome(replay(rules, record))
    assert ended is not None  # noqa: S101
    lines = (*header("Perudo", record), *_rounds(record.facts), _result(ended))
    return "".join(f"{line}\n" for line in lines)


def _rounds(facts: Iterable[Fact]) -> Iterator[str]:
    """One line for each roll for the start, and one for each round."""
    opening = ""
    hands: list[str] = []
    events: list[str] = []
    for fact in facts:
        match fact:
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


def _result(ended: Outcome) -> str:
    order = [_seat(seat) for places in ended.ranking for seat in places]
    return f"Result: {' '.join(order)} ({ended.reason})"


def _seat(seat: int) -> str:
    return SEAT_LETTERS[seat]


def _dice(dice: Hand) -> str:
    return "".join("P" if die == PACO else str(die) for die in dice)
