"""The text form of a record read back: its moves are played again with its dice.

Whatever else a line says must be what the engine says, or the line is named as untrue.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games.core.chance import ScriptedChance
from games.core.contract import Chance, IllegalMove
from games.core.record import MAX_CHARACTERS, RecordError
from games.rules.contract import Fact, Outcome
from games.rules.perudo.bids import PACO, Bid
from games.rules.perudo.decide import decide, start
from games.rules.perudo.events import (
    BidMade,
    Call,
    CalzaClaimed,
    GameStarted,
    Hand,
    Left,
    Revealed,
    Rolled,
    RoundStarted,
    StarterRolled,
)
from games.rules.perudo.moves import Confirm
from games.rules.perudo.notation import SEAT_LETTERS, TITLE, result, rounds, setting
from games.rules.perudo.options import CHOICES, Options
from games.rules.perudo.record import Record, cause, luck
from games.rules.perudo.state import State, evolve, outcome

_NO_MOVES: Final = ("Starter: ", "Result: ")
_HEADER = re.compile(r"(?:Date|Rules|Player [A-F]): ")
_ROUND = re.compile(r"[1-9][0-9]{0,4}\. ([A-F]) opens(?: palifico)? \| ([A-F2-6P ]+) \| (.*)")
_HAND = re.compile(r"\b([A-F]) ([2-6P]{1,5})\b")
_DEED = re.compile(
    r"([A-F]) (?:(?P<bid>[0-9]{1,3}x[P2-6])|(?P<call>dudo|calza): [0-9]{1,2}"
    r"|(?P<deed>claims|leaves|loses|regains|out|palifico))"
)


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


def from_text(text: str) -> Record:
    """The record of a text, once the engine has played it; RecordError names the first bad line.

    Everybody is taken to have looked at the dice in the order of the seats.
    """
    if len(text) > MAX_CHARACTERS:
        raise RecordError(f"more than {MAX_CHARACTERS} characters")
    lines = [_Line(n, line.rstrip(" \r")) for n, line in enumerate(text.split("\n"), start=1)]
    while lines and not lines[-1].text:
        lines.pop()
    if not lines or lines[0].text != TITLE:
        raise RecordError(f"the first line is not {TITLE!r}", line=1)
    header = 1
    while header < len(lines) and _HEADER.match(lines[header].text):
        header += 1
    date, options, players = _read_header(lines[1:header])
    game = lines[header:]
    facts: list[Fact] = []
    try:
        ended = _play(len(players), options, game, facts)
    except RecordError as error:  # an untrue line may have led astray a later one
        _compare([line for line in game if line.number < (error.line or 0)], rounds(facts))
        raise
    said = [*rounds(facts), result(ended)]
    _compare(game, said)
    if len(game) != len(said):
        raise RecordError(f"{len(game)} lines for this game", line=lines[-1].number)
    return Record(players=players, facts=tuple(facts), date=date)


def _compare(lines: Iterable[_Line], said: Iterable[str]) -> None:
    """RecordError for the first line that is not what the engine says."""
    for line, true in zip(lines, said, strict=False):
        if line.text != true:
            raise RecordError(f"{line.text!r} should be {true!r}", line=line.number)


def _read_header(lines: Sequence[_Line]) -> tuple[str | None, Options, tuple[str, ...]]:
    date: str | None = None
    options: Options | None = None
    players: list[str] = []
    for line in lines:
        name, _, value = line.text.partition(": ")
        if name == "Date" and date is None and not players:
            date = value
        elif name == "Rules" and options is None and not players:
            options = _read_options(line, value)
        elif name == f"Player {SEAT_LETTERS[len(players) : len(players) + 1]}":
            players.append(_read_name(line, value))
        else:
            raise RecordError(f"{name} is not expected here", line=line.number)
    if options is None or not players:
        raise RecordError("the header has no rules or no players", line=len(lines) + 1)
    return date, options, tuple(players)


def _read_options(line: _Line, text: str) -> Options:
    settings: dict[str, object] = {}
    for pair in text.split(" "):
        name, _, written = pair.partition("=")
        values = [value for value in CHOICES.get(name, ()) if setting(value) == written]
        if not values or name in settings:
            raise RecordError(f"not a setting: {pair!r}", line=line.number)
        settings[name] = values[0]
    try:
        return Options.from_json(settings)
    except ValueError as trouble:
        raise RecordError(str(trouble), line=line.number) from trouble


def _read_name(line: _Line, text: str) -> str:
    try:
        name = json.loads(text)
    except (ValueError, RecursionError):
        name = None
    if not isinstance(name, str):
        raise RecordError(f"not a name in quotes: {text!r}", line=line.number)
    return name


def _play(seats: int, options: Options, lines: Sequence[_Line], facts: list[Fact]) -> Outcome:
    """Make the moves of these lines with their dice; `facts` grows by all that follows."""
    chance = ScriptedChance(luck([GameStarted(seats, options), *_rolls(lines)]))
    state: State | None = None
    for line in lines:
        try:
            if line.text.startswith(_NO_MOVES):
                continue
            if state is None:
                following: Iterable[Fact] = start(seats, options, chance)
            else:
                following = _all_look(state, chance)
            for fact in following:
                state = evolve(state, fact)
                facts.append(fact)
            for told in _told(line):
                assert state is not None  # noqa: S101
                seat, move = cause(state, told)
                for fact in decide(state, seat, move, chance):
                    state = evolve(state, fact)
                    facts.append(fact)
        except IllegalMove as illegal:
            raise RecordError(f"not allowed: {illegal.code}", line=line.number) from illegal
        except (LookupError, ValueError) as trouble:
            raise RecordError(str(trouble), line=line.number) from trouble
    ended = outcome(state) if state else None
    if ended is None:
        raise RecordError("the game is not over")
    return ended


def _all_look(state: State, chance: Chance) -> list[Fact]:
    """Everybody confirms the reveal, in the order of the seats: the next round begins."""
    if state.phase != "reveal":
        raise ValueError("the round before is not over")
    facts: list[Fact] = []
    for seat in state.active:
        following = decide(state, seat, Confirm(), chance)
        facts += following
        for fact in following:
            state = evolve(state, fact)
    return facts


def _rolls(lines: Iterable[_Line]) -> Iterator[Fact]:
    """The dice that the lines say fell, and the first opener."""
    for line in lines:
        written = _ROUND.fullmatch(line.text)
        if written:
            yield RoundStarted(1, SEAT_LETTERS.index(written[1]), None)
            for letter, dice in _HAND.findall(written[2]):
                yield Rolled(SEAT_LETTERS.index(letter), _faces(dice))
        elif line.text.startswith("Starter: "):
            rolls = _HAND.findall(line.text)
            yield StarterRolled(
                tuple((SEAT_LETTERS.index(letter), _faces(dice)) for letter, dice in rolls)
            )
        elif not line.text.startswith(_NO_MOVES):
            raise RecordError(f"not a line of a record: {line.text!r}", line=line.number)


def _faces(dice: str) -> Hand:
    return tuple(PACO if die == "P" else int(die) for die in dice)


def _told(line: _Line) -> Iterator[Fact]:
    """The deeds of a line that somebody chose to do; what follows from them is not read."""
    written = _ROUND.fullmatch(line.text)
    for deed in written[3].split(", ") if written and written[3] else ():
        done = _DEED.fullmatch(deed)
        if done is None:
            raise ValueError(f"not a deed: {deed!r}")
        seat = SEAT_LETTERS.index(done[1])
        if done["bid"]:
            yield BidMade(seat, Bid.from_text(done["bid"]))
        elif done["call"]:
            call: Call = "dudo" if done["call"] == "dudo" else "calza"
            yield Revealed(call, seat, (), 0)
        elif done["deed"] == "claims":
            yield CalzaClaimed(seat)
        elif done["deed"] == "leaves":
            yield Left(seat)
