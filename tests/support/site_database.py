"""The records of a site, read straight from its database, past all code of the site."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from django.utils.dateparse import parse_datetime

from games.contract import catalogue
from games.core.codec import unpack
from games.core.contract import Fact, Rules, fold
from games.core.proof import ProvenChance
from tests.support import page_players


@contextmanager
def locked(folder: Path, *, how: str = "IMMEDIATE") -> Iterator[None]:
    """This process takes the lock of every writer of a site's SQLite file for a while."""
    with closing(sqlite3.connect(folder / "db.sqlite3", timeout=30)) as other:
        other.isolation_level = None
        other.execute(f"BEGIN {how}")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


@dataclass(frozen=True)
class LogEntry:
    """One row of the log of facts."""

    seq: int
    at: float  # seconds since 1970
    fact: Fact


class SiteDatabase:
    """Reads a SQLite file, or PostgreSQL when an address is given."""

    def __init__(self, folder: Path, postgres: str = "") -> None:
        self.file, self.postgres = folder / "db.sqlite3", postgres

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        if self.postgres:
            with psycopg.connect(self.postgres) as connection:
                return connection.execute(query.replace("?", "%s").encode(), values).fetchall()
        with closing(sqlite3.connect(self.file, timeout=10)) as connection:
            return connection.execute(query, values).fetchall()

    def created_at(self, code: str) -> float | None:
        """When a game was created, in seconds since 1970; None: there is none of this code."""
        found = self.rows("SELECT created_at FROM games_game WHERE code = ?", code)
        return _seconds(found[0][0]) if found else None

    def write(self, query: str, *values: object) -> None:
        """For what time would have done by itself, such as a deadline that passes."""
        if self.postgres:
            with psycopg.connect(self.postgres) as line:
                line.execute(query.replace("?", "%s").encode(), values)
            return
        with closing(sqlite3.connect(self.file, timeout=10)) as connection, connection:
            connection.execute(query, values)

    def dump(self) -> list[str]:
        """Everything in the (SQLite) database, as SQL, but for what time alone writes.

        That is the row which the schedulers sign, when somebody last had a page open, and what
        people are told of games that wait for them.
        """
        with (
            closing(sqlite3.connect(self.file, timeout=10)) as connection,
            closing(sqlite3.connect(":memory:")) as copy,
        ):
            connection.backup(copy)
            copy.execute("DELETE FROM games_hours")
            copy.execute("UPDATE games_game SET watched_at = NULL")
            copy.execute("UPDATE games_seat SET seen_at = NULL, present_at = NULL")
            copy.execute("DELETE FROM games_inboxentry")
            copy.execute("DELETE FROM games_inbox")
            copy.execute("DELETE FROM sqlite_sequence WHERE name = 'games_inboxentry'")
            copy.commit()
            return list(copy.iterdump())

    def log(self, code: str) -> list[LogEntry]:
        """Every fact of a game, sealed ones too, in order; a game long over has them packed."""
        found = self.rows(
            "SELECT e.seq, e.at, e.kind, e.data, g.rules FROM games_event e JOIN games_game g "
            "ON g.id = e.game_id WHERE g.code = ? ORDER BY e.seq",
            code,
        )
        entries = [
            LogEntry(seq, _seconds(at), _fact(key, kind, data))
            for seq, at, kind, data, key in found
        ]
        packed = self.rows(
            "SELECT p.begins, p.facts, g.rules FROM games_packedlog p JOIN games_game g "
            "ON g.id = p.game_id WHERE g.code = ?",
            code,
        )
        return [entry for record in packed for entry in _unpacked(*record)] or entries

    def facts(self, code: str, kind: type[Fact] = Fact) -> list[Any]:
        return [entry.fact for entry in self.log(code) if isinstance(entry.fact, kind)]

    def game(self, code: str, *columns: str) -> tuple[Any, ...]:
        [row] = self.rows(f"SELECT {', '.join(columns)} FROM games_game WHERE code = ?", code)  # noqa: S608
        return row

    def seats(self, code: str) -> list[tuple[Any, ...]]:
        """(number, user id, bot) of every seat in order."""
        return self.rows(
            "SELECT s.number, s.user_id, s.bot FROM games_seat s JOIN games_game g "
            "ON g.id = s.game_id WHERE g.code = ? ORDER BY s.number",
            code,
        )

    def check(self, code: str) -> Any:
        """Goes through a whole log: no number missing or twice, nobody out of turn, nothing drawn
        but from the game's secret. Its end.
        """
        log = self.log(code)
        [key] = self.game(code, "rules")
        rules, page_player = catalogue.of(key).rules, page_players.of(key)
        [seq] = self.game(code, "seq")
        first = log[0].seq  # the numbers before it counted who sat down
        # `grant_fresh_time` and `come_back` advance `seq` without a fact, so a number may be
        # skipped; none may be there twice, and none may lie behind the game's own.
        numbers = [entry.seq for entry in log]
        assert numbers == sorted(set(numbers)), numbers
        assert first <= numbers[-1] <= seq
        state: Any = None
        for entry in log:
            if state is not None:
                page_player.check(state, entry.fact)
            state = fold(rules, [entry.fact], state)
        assert state is not None
        for drawn_from in self.rows(DRAWN_FROM, code):
            _check_draws(
                rules, [entry.fact for entry in log], ProvenChance(*map(bytes, drawn_from))
            )
        return state


# Nothing for a game that a test deals, or that has begun in the middle of another.
DRAWN_FROM = (
    "SELECT p.secret, p.key FROM games_drawproof p JOIN games_game g ON g.id = p.game_id "
    "WHERE g.code = ? AND p.key IS NOT NULL"
)


def _check_draws(rules: Rules, facts: Sequence[Fact], chance: ProvenChance) -> None:
    """Whichever process dealt it, each die and card is what the secret gives at its address."""
    state: Any = None
    at = 0
    while at < len(facts):
        if state is None:
            following = rules.restart(facts, chance)
        else:
            following = rules.decide(state, *rules.cause(state, facts, at), chance)
        assert facts[at : at + len(following)] == following, f"fact {at + 1}"
        at += len(following)
        state = fold(rules, following, state)


def contiguous(log: Sequence[LogEntry]) -> bool:
    numbers = [entry.seq for entry in log]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _seconds(at: datetime | str) -> float:
    moment = at if isinstance(at, datetime) else parse_datetime(f"{at}+00:00")
    assert moment is not None
    return moment.timestamp()


def _unpacked(begins: datetime | str, facts: bytes, key: str) -> Iterator[LogEntry]:
    """The entries of one record: each fact with the microseconds since the one before it."""
    at = _seconds(begins)
    for seq, _, kind, data, later in json.loads(zlib.decompress(facts))["facts"]:
        at += later / 1e6
        yield LogEntry(seq, at, _fact(key, kind, data))


def _fact(key: str, kind: str, data: Any) -> Fact:
    data = json.loads(data) if isinstance(data, str) else data
    return unpack(catalogue.of(key).rules.FACTS, {"kind": kind, **data})
