"""Record of a finished game: its JSON form, its text form and its validation by replay.

Reading a record replays it: the rules derive every fact again from the recorded randomness, and the
facts are compared one by one. A record that can be read therefore follows the rules. `to_text`
returns the text form for people; each game writes the lines of its rounds.
"""

from __future__ import annotations

import json
import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from games.core import proof as proofs
from games.core.chance import ScriptedChance
from games.core.codec import pack, unpack
from games.core.contract import VERSION, Chance, Fact, IllegalMove, Outcome, Rules
from games.core.proof import Proof

VERSIONS: Final = (1, VERSION)  # readable versions; each is replayed by its own rules
MAX_CHARACTERS: Final = 2_000_000  # of a record to read; a long game of six has about 100,000
MAX_FACTS: Final = 20_000
MAX_NAME: Final = 150
_MAX_REASON: Final = 200  # so that a hostile record cannot fill a log

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", re.ASCII)


class RecordError(ValueError):
    """An invalid record, with the `reason` and the number of the `fact` with the error.

    `fact` counts the facts from 1; None is the whole record.
    """

    def __init__(self, reason: str, *, fact: int | None = None) -> None:
        self.reason = reason if len(reason) <= _MAX_REASON else reason[: _MAX_REASON - 1] + "…"
        self.fact = fact
        super().__init__(f"fact {fact}: {self.reason}" if fact else self.reason)


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game: its key, the names by seat, all facts including hidden ones, and the date.

    `date` is an ISO date, or None if unknown. `version` is that of the rules that judged the game.
    `proof` is None for games that began before there were proofs, or in the middle of another.
    Raises RecordError if the number of names differs from the seats, if facts or names exceed their
    limits, or if the date or version is invalid.
    """

    game: str
    players: tuple[str, ...]
    facts: tuple[Fact, ...]
    date: str | None = None
    version: int = VERSION
    proof: Proof | None = None  # of its draws

    def __post_init__(self) -> None:
        if not self.facts or self.facts[0].kind != "game_started":
            raise RecordError("a game begins with game_started", fact=1)
        if len(self.facts) > MAX_FACTS:
            raise RecordError(f"more than {MAX_FACTS} facts")
        if len(self.players) != self._start.seats:
            raise RecordError(f"{len(self.players)} names for {self._start.seats} seats")
        for name in self.players:
            check_name(name)
        if self.date is not None and not is_date(self.date):
            raise RecordError(f"not a date: {self.date!r}")
        if type(self.version) is not int or self.version not in VERSIONS:
            raise RecordError(f"the versions {' and '.join(map(str, VERSIONS))} can be read")

    @property
    def _start(self) -> Any:
        return self.facts[0]

    @property
    def options(self) -> Any:
        return self._start.options

    @property
    def seats(self) -> int:
        return len(self.players)


def is_date(text: str) -> bool:
    """Whether the text is an ISO date that exists in the calendar, such as 2024-02-29."""
    written = _DATE.fullmatch(text)
    if written is None:
        return False
    year, month, day = map(int, written.groups())
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def check_name(name: str) -> None:
    """Raise RecordError for a name that is too long or cannot be encoded in a text file."""
    if len(name) > MAX_NAME:
        raise RecordError(f"a name is longer than {MAX_NAME} characters")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise RecordError(f"not a name: {name!r}") from None


# --- replay --------------------------------------------------------------------------------------


def replay(rules: Rules, record: Record, *, chance: Chance | None = None) -> Any:
    """Replay a record and return the last state. Raises RecordError if the facts differ.

    Its draws are those of the record, or others from `chance`.
    """
    facts = record.facts
    chance = chance or ScriptedChance(rules.recorded_chance(facts))
    state: Any = None
    at = 0
    while at < len(facts):
        try:
            following = (
                rules.restart(facts, chance)
                if state is None
                else rules.decide(
                    state, *rules.cause(state, facts, at), chance, version=record.version
                )
            )
        except IllegalMove as illegal:
            raise RecordError(f"not allowed: {illegal.code}", fact=at + 1) from illegal
        except (LookupError, ValueError) as trouble:
            raise RecordError(str(trouble), fact=at + 1) from trouble
        for fact in following:
            recorded = facts[at] if at < len(facts) else None
            at += 1
            if recorded != fact:
                raise RecordError(f"{_short(recorded)} where {_short(fact)} follows", fact=at)
            state = rules.evolve(state, fact)
    if rules.outcome(state) is None:
        raise RecordError("the game is not over", fact=len(facts))
    return state


def _short(fact: Fact | None) -> str:
    return "nothing" if fact is None else json.dumps(pack(fact))


# --- text ----------------------------------------------------------------------------------------

SEAT_LETTERS: Final = "ABCDEFGH"


def to_text(
    rules: Rules, record: Record, *, title: str, rounds: Callable[[Iterable[Fact]], Iterator[str]]
) -> str:
    """Return the record as text for people: the header, the lines of `rounds` and the result.

    Raises RecordError if it is not the record of a finished game.
    """
    ended = rules.outcome(replay(rules, record))
    assert ended is not None  # noqa: S101
    lines = (*_header(title, record), *rounds(record.facts), f"Result: {places(ended)}")
    return "".join(f"{line}\n" for line in lines)


def seat_letter(seat: int) -> str:
    return SEAT_LETTERS[seat]


def places(ended: Outcome) -> str:
    """Format the places from first to last and the reason; seats that share a place are joined."""
    ranked = " ".join("=".join(map(seat_letter, place)) for place in ended.ranking)
    return f"{ranked} ({ended.reason})"


def _header(title: str, record: Record) -> Iterator[str]:
    """Yield the first lines of a text form: title and version, date, options, names by seat."""
    yield f"{title} record, version {record.version}"
    if record.date:
        yield f"Date: {record.date}"
    settings = pack(record.options).items()
    yield "Rules: " + " ".join(f"{name}={_setting(value)}" for name, value in settings)
    for letter, name in zip(SEAT_LETTERS, record.players, strict=False):
        yield f"Player {letter}: {_quoted(name)}"


def _setting(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _quoted(name: str) -> str:
    """Return the name as a JSON string on one line, with unprintable characters escaped."""
    plain = (c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in name)
    return f'"{"".join(plain)}"'


# --- JSON ----------------------------------------------------------------------------------------

_FIELDS: Final = ("version", "game", "date", "options", "players", "facts")


def to_json(record: Record) -> str:
    """Return the record as JSON text, with one fact per line."""
    head = {
        "version": record.version,
        "game": record.game,
        "date": record.date,
        "options": pack(record.options),
        "players": list(record.players),
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    facts = ",\n".join("    " + json.dumps(pack(fact)) for fact in record.facts)
    if record.proof is not None:
        lines.append(f'  "proof": {json.dumps(record.proof.to_json())},')
    return "\n".join(["{", *lines, '  "facts": [', facts, "  ]", "}"]) + "\n"


def from_json(rules: Rules, text: str) -> Record:
    """Read a record from JSON text and replay it. Raises RecordError with what is wrong.

    The formatting of the JSON does not matter. `record_schema` describes its structure.
    """
    return _read(rules, _fields(text))


def from_json_of_any(games: Mapping[str, Rules], text: str) -> Record:
    """Read a record as `from_json` does, of any of these games by key."""
    fields = _fields(text)
    rules = games.get(fields["game"]) if isinstance(fields["game"], str) else None
    if rules is None:
        raise RecordError(f"not a record of {' or '.join(games)}")
    return _read(rules, fields)


def _fields(text: str) -> dict[str, object]:
    if len(text) > MAX_CHARACTERS:
        raise RecordError(f"more than {MAX_CHARACTERS} characters")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as trouble:
        raise RecordError(f"not JSON: {trouble}") from trouble
    if not isinstance(data, dict) or set(data) - {"proof"} != set(_FIELDS):
        raise RecordError(f"a record has the fields {', '.join(_FIELDS)}")
    return data


def _read(rules: Rules, data: Mapping[str, Any]) -> Record:
    if data["game"] != rules.KEY:
        raise RecordError(f"not a record of {rules.KEY}")
    record = Record(
        game=rules.KEY,
        players=_names(data["players"]),
        facts=tuple(_facts(rules, data["facts"])),
        date=_date(data["date"]),
        version=data["version"],
    )
    if "proof" in data:
        try:
            record = replace(record, proof=proofs.read(data["proof"], seats=record.seats))
        except ValueError as trouble:
            raise RecordError(str(trouble)) from trouble
    try:
        options = rules.read_options(data["options"])
    except (ValueError, RecursionError) as trouble:
        raise RecordError(f"the options: {trouble}") from trouble
    if options != record.options:
        raise RecordError("the options are not those the game was started with")
    replay(rules, record)
    if record.proof is not None:
        check_draws(rules, record, record.proof)
    return record


def check_draws(rules: Rules, record: Record, proof: Proof) -> None:
    """Raise RecordError unless all draws of the record follow from its proof."""
    try:
        chance = proof.chance(record.game, pack(record.options))
    except ValueError as trouble:
        raise RecordError(str(trouble)) from trouble
    replay(rules, record, chance=chance)


def _names(names: object) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RecordError("the players are a list of names")
    return tuple(names)


def _date(date: object) -> str | None:
    if date is not None and not isinstance(date, str):
        raise RecordError("the date is a text or null")
    return date


def _facts(rules: Rules, facts: object) -> Iterator[Fact]:
    if not isinstance(facts, list) or len(facts) > MAX_FACTS:
        raise RecordError(f"the facts are a list of at most {MAX_FACTS}")
    for number, fact in enumerate(facts, start=1):
        try:
            yield unpack(rules.FACTS, fact)
        except (ValueError, RecursionError) as trouble:
            raise RecordError(str(trouble), fact=number) from trouble
