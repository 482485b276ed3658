"""The text form of a record: a few header lines, then one line a round, for people to read.

    3. C opens palifico | A P2346 B 22456 C 5 | C 1x5, A 2x5, B dudo: 2, B loses

A seat is a letter, a paco is P. The text leaves out who looked at the dice first, and nothing
else. `reading` is the way back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from games.core.record import VERSION
from games.rules.contract import Fact, Outcome
from games.rules.perudo.bids import PACO
from games.rules.perudo.events import (
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
from games.rules.perudo.record import Record, replay
from games.rules.perudo.state import outcome

SEAT_LETTERS: Final = "ABCDEF"
TITLE: Final = f"Perudo record, version {VERSION}"


def to_text(record: Record) -> str:
    """The record for people; RecordError when it is not the record of a finished game."""
    ended = outcome(replay(record))
    assert ended is not None  # noqa: S101
    return "".join(f"{line}\n" for line in (*_header(record), *rounds(record.facts), result(ended)))


def _header(record: Record) -> Iterator[str]:
    yield TITLE
    if record.date:
        yield f"Date: {record.date}"
    settings = record.options.to_json()
    yield "Rules: " + " ".join(f"{name}={setting(value)}" for name, value in settings.items())
    for letter, name in zip(SEAT_LETTERS, record.players, strict=False):
        yield f"Player {letter}: {_quoted(name)}"


def setting(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _quoted(name: str) -> str:
    """The name as a JSON string on one line: what does not print as itself is escaped."""
    plain = (c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in name)
    return f'"{"".join(plain)}"'


def rounds(facts: Iterable[Fact]) -> Iterator[str]:
    """One line for each roll for the start, and one for each round."""
    opening = ""
    hands: list[str] = []
    deeds: list[str] = []
    for fact in facts:
        match fact:
            case StarterRolled():
                rolls = " ".join(f"{_seat(seat)} {_dice(dice)}" for seat, dice in fact.rolls)
                yield f"Starter: {rolls}"
            case RoundStarted():
                if opening:
                    yield _line(opening, hands, deeds)
                palifico = "" if fact.palifico is None else " palifico"
                opening = f"{fact.number}. {_seat(fact.opener)} opens{palifico}"
                hands, deeds = [], []
            case Rolled():
                hands.append(f"{_seat(fact.only)} {_dice(fact.dice)}")
            case _:
                deed = _deed(fact)
                if deed:
                    deeds.append(deed)
    if opening:
        yield _line(opening, hands, deeds)


def _line(opening: str, hands: Sequence[str], deeds: Sequence[str]) -> str:
    return f"{opening} | {' '.join(hands)} | {', '.join(deeds)}"


def _deed(fact: Fact) -> str | None:
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


def result(ended: Outcome) -> str:
    return f"Result: {' '.join(map(_seat, ended.ranking))} ({ended.reason})"


def _seat(seat: int) -> str:
    return SEAT_LETTERS[seat]


def _dice(dice: Hand) -> str:
    return "".join("P" if die == PACO else str(die) for die in dice)
