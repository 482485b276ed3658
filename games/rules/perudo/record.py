"""The record of a finished game: its JSON form, and the proof that it was played by the rules.

A record is read only by playing it again: whatever it claims is derived anew by the engine with
the recorded dice and compared fact by fact. So a record that can be read is true to the rules.
`notation` has the text form, for people.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from games.core.chance import ScriptedChance
from games.core.codec import pack, unpack
from games.core.contract import Chance, IllegalMove
from games.core.record import (
    MAX_CHARACTERS,
    MAX_FACTS,
    VERSION,
    RecordError,
    check_name,
)
from games.rules.contract import Fact
from games.rules.perudo.decide import decide, start
from games.rules.perudo.events import (
    FACTS,
    BidMade,
    CalzaClaimed,
    GameStarted,
    Left,
    Revealed,
    RevealSeen,
    Rolled,
    RoundStarted,
    StarterRolled,
)
from games.rules.perudo.moves import Calza, Confirm, Dudo, Leave, Move, SettleClaims
from games.rules.perudo.options import Options
from games.rules.perudo.state import State, evolve

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game: the names by seat, every fact with the hidden ones, and the day it began.

    `date` is an ISO date, None when nobody remembers. RecordError when names and seats differ.
    """

    players: tuple[str, ...]
    facts: tuple[Fact, ...]
    date: str | None = None

    def __post_init__(self) -> None:
        if not self.facts or not isinstance(self.facts[0], GameStarted):
            raise RecordError("a game begins with game_started", fact=1)
        if len(self.facts) > MAX_FACTS:
            raise RecordError(f"more than {MAX_FACTS} facts")
        if len(self.players) != self.facts[0].seats:
            raise RecordError(f"{len(self.players)} names for {self.facts[0].seats} seats")
        for name in self.players:
            check_name(name)
        if self.date is not None and not _DATE.fullmatch(self.date):
            raise RecordError(f"not a date: {self.date!r}")

    @property
    def options(self) -> Options:
        assert isinstance(self.facts[0], GameStarted)  # noqa: S101
        return self.facts[0].options

    @property
    def seats(self) -> int:
        return len(self.players)


# --- playing it again ----------------------------------------------------------------------------


def replay(record: Record) -> State:
    """The last state of a recorded game, derived anew; RecordError when the record is not true."""
    facts, chance = record.facts, ScriptedChance(luck(record.facts))
    state: State | None = None
    at = 0
    while at < len(facts):
        try:
            following = _following(state, facts[at], chance)
        except IllegalMove as illegal:
            raise RecordError(f"not allowed: {illegal.code}", fact=at + 1) from illegal
        except (LookupError, ValueError) as trouble:
            raise RecordError(str(trouble), fact=at + 1) from trouble
        for fact in following:
            recorded = facts[at] if at < len(facts) else None
            at += 1
            if recorded != fact:
                raise RecordError(f"{_short(recorded)} where {_short(fact)} follows", fact=at)
            state = evolve(state, fact)
    assert state is not None  # noqa: S101
    if state.phase != "over":
        raise RecordError("the game is not over")
    return state


def _following(state: State | None, told: Fact, chance: Chance) -> list[Fact]:
    """All that follows, by the rules, from the move that `told` begins to tell of."""
    if state is None:
        assert isinstance(told, GameStarted)  # noqa: S101
        return start(told.seats, told.options, chance)
    seat, move = cause(state, told)
    return decide(state, seat, move, chance)


def luck(facts: Iterable[Fact]) -> Iterator[int]:
    """The luck of a log in the order in which the engine asks for it."""
    drawn = False
    for fact in facts:
        match fact:
            case GameStarted():
                drawn = fact.options.starter == "random"
            case StarterRolled():
                for _, dice in fact.rolls:
                    yield from dice
            case RoundStarted():
                if drawn:
                    yield fact.opener
                drawn = False
            case Rolled():
                yield from fact.dice


def cause(state: State, fact: Fact) -> tuple[int, Move]:
    """Which move of which seat a fact begins to tell of; ValueError when none does."""
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


def _short(fact: Fact | None) -> str:
    return "nothing" if fact is None else json.dumps(pack(fact))


# --- JSON ----------------------------------------------------------------------------------------

_FIELDS: Final = ("version", "game", "date", "options", "players", "facts")


def to_json(record: Record) -> str:
    """The record as a JSON text, one fact a line."""
    head = {
        "version": VERSION,
        "game": "perudo",
        "date": record.date,
        "options": record.options.to_json(),
        "players": list(record.players),
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    facts = ",\n".join("    " + json.dumps(pack(fact)) for fact in record.facts)
    return "\n".join(["{", *lines, '  "facts": [', facts, "  ]", "}"]) + "\n"


def from_json(text: str) -> Record:
    """The record of a JSON text, once the engine has found it true; RecordError says what is not.

    The same facts in any JSON spelling are the same record.
    """
    if len(text) > MAX_CHARACTERS:
        raise RecordError(f"more than {MAX_CHARACTERS} characters")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as trouble:
        raise RecordError(f"not JSON: {trouble}") from trouble
    if not isinstance(data, dict) or set(data) != set(_FIELDS):
        raise RecordError(f"a record has the fields {', '.join(_FIELDS)}")
    if type(data["version"]) is not int or data["version"] != VERSION:
        raise RecordError(f"this is read: version {VERSION}")
    if data["game"] != "perudo":
        raise RecordError("not a record of perudo")
    record = Record(
        players=_names(data["players"]),
        facts=tuple(_facts(data["facts"])),
        date=_date(data["date"]),
    )
    if data["options"] != record.options.to_json():
        raise RecordError("the options are not those the game was started with")
    replay(record)
    return record


def _names(names: Any) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RecordError("the players are a list of names")
    return tuple(names)


def _date(date: Any) -> str | None:
    if date is not None and not isinstance(date, str):
        raise RecordError("the date is a text or null")
    return date


def _facts(facts: Any) -> Iterator[Fact]:
    if not isinstance(facts, list) or len(facts) > MAX_FACTS:
        raise RecordError(f"the facts are a list of at most {MAX_FACTS}")
    for number, fact in enumerate(facts, start=1):
        try:
            yield unpack(FACTS, fact)
        except (ValueError, RecursionError) as trouble:
            raise RecordError(str(trouble), fact=number) from trouble
