"""The log of facts: the only place that touches its rows, and that knows who was told what."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from games.core.codec import pack, unpack
from games.core.contract import fold
from games.models import Event, Game, PackedLog
from games.newest import Newest
from games.rules import rules_of
from games.rules.contract import Fact


class SomeoneWasFaster(Exception):
    """Another writer took this number of the log."""


@dataclass(frozen=True, slots=True)
class Told:
    """A fact with its place in the log and the time it became true."""

    seq: int
    at: datetime
    fact: Fact
    automatic: bool = False  # tells of a move that the clock or a bot made for a person


def append(
    game: Game, facts: Iterable[Fact], *, at: datetime, automatic: Container[int] = ()
) -> int:
    """Write facts behind `game.seq`, return the last number; SomeoneWasFaster if one is taken.

    `automatic`: the places in `facts`, from 0, that tell of a move made for a person.
    """
    told = [
        Told(game.seq + 1 + place, at, fact, place in automatic) for place, fact in enumerate(facts)
    ]
    rows = [_row(game, each) for each in told]
    try:
        Event.unsealed.bulk_create(rows)
    except IntegrityError:  # the caller's transaction is lost, and he begins it anew
        raise SomeoneWasFaster from None  # a database's own words may quote the row
    last = game.seq + len(rows)
    public = [each for each in told if each.fact.only is None]
    learn = partial(_learn, game.code, game.rules, public, before=game.seq, last=last)
    transaction.on_commit(learn, robust=True)
    return last


def _row(game: Game, told: Told) -> Event:
    data, only = pack(told.fact), told.fact.only
    kind, automatic = data.pop("kind"), told.automatic or None
    return Event(
        game=game, seq=told.seq, only=only, kind=kind, data=data, at=told.at, automatic=automatic
    )


def _read(game: Game, row: Event) -> Fact:
    """The fact of a row; ValueError names the row, never what it holds: it may be sealed."""
    try:
        return unpack(rules_of(game.rules).FACTS, {"kind": row.kind, **row.data})
    except (ValueError, TypeError):
        raise ValueError(f"fact {row.seq} of game {game.code} cannot be read") from None


# --- rows and records ----------------------------------------------------------------------------


def pack_rows(game: Game) -> None:
    """Put one compressed record in the place of a finished game's rows; the caller's transaction.

    ValueError when the record does not say what the rows say: then nothing may be deleted.
    """
    if game.status != Game.Status.FINISHED:
        raise ValueError("the log of a running game is not packed")
    rows = Event.unsealed.filter(game=game)
    facts = list(rows.order_by("seq"))
    if not facts:
        return
    record = packed(facts)
    record.save(force_insert=True)
    if list(map(_told, _of_record(game) or ())) != list(map(_told, facts)):
        raise ValueError(f"the record of game {game.code} is not its log")
    rows.delete()


def packed(rows: Sequence[Event]) -> PackedLog:
    """All the rows of a game's log as one record, not saved: every column in its order.

    Of times it keeps the microseconds since the fact before; most are then 0, and short. The
    numbers of automatic moves stand beside the facts, where older versions overlook them.
    """
    facts, before = [], rows[0].at
    for row in rows:
        facts.append([row.seq, row.only, row.kind, row.data, (row.at - before) // _MICROSECOND])
        before = row.at
    record: dict[str, Any] = {"version": 1, "facts": facts}
    if automatic := [row.seq for row in rows if row.automatic]:
        record["automatic"] = automatic
    plain = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    small = zlib.compress(plain.encode(), level=9)
    return PackedLog(game_id=rows[0].game_id, begins=rows[0].at, count=len(rows), facts=small)


_MICROSECOND = timedelta(microseconds=1)


def _of_record(game: Game) -> list[Event] | None:
    """The rows as they were before they were packed; None where there is no record."""
    record = PackedLog.unsealed.filter(game=game).first()
    if record is None:
        return None
    rows, at, plain = [], record.begins, json.loads(zlib.decompress(record.facts))
    automatic = frozenset(plain.get("automatic", ()))
    for seq, only, kind, data, later in plain["facts"]:
        at += later * _MICROSECOND
        row = Event(game=game, seq=seq, only=only, kind=kind, data=data, at=at)
        row.automatic = seq in automatic or None
        rows.append(row)
    return rows


def _told(row: Event) -> tuple[Any, ...]:
    return row.seq, row.only, row.kind, row.data, row.at, row.automatic


def _rows(game: Game, rows: QuerySet[Event], fits: Callable[[Event], bool]) -> list[Event]:
    """These rows in order; where the log is packed, those of the record that fit.

    A game read a moment ago may have been packed since, and one may wait for ever in rows: each
    form is looked for where the other is not found.
    """
    over = game.status == Game.Status.FINISHED
    record = _of_record(game) if over and game.pack_at is None else None
    if record is None:
        found = list(rows.order_by("seq"))
        if found or not over or game.pack_at is None:
            return found
        record = _of_record(game)
    return [row for row in record or () if fits(row)]


def _public_rows(game: Game, *, after: int = 0, upto: int) -> list[Event]:
    return _rows(
        game,
        Event.objects.filter(game=game, seq__gt=after, seq__lte=upto),
        lambda row: row.only is None and after < row.seq <= upto,
    )


# --- what everybody knows ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Known:
    """What everybody knows of a game at one number: the state, and what happened last.

    `news` are the public facts of the last step, all of one instant, in order.
    """

    seq: int = 0
    state: Any = None
    news: tuple[Told, ...] = ()


# What was known at the last number this process saw. It spares folding the whole game again for
# every move; a hidden die is never in it. Keyed by the unguessable code. It holds committed facts
# only, because a step of a game is a transaction of its own that reads before it writes, and
# nobody else reads the log inside a transaction.
_known: Newest[Known] = Newest(most=2_000)


def known(game: Game) -> Known:
    """What everybody was told up to `game.seq`: what was known plus the new facts."""
    seq, then = _known.get(game.code) or (0, Known())
    if seq == game.seq:
        return then
    if seq > game.seq:  # somebody looks back in time
        then = Known()
    told = public_facts(game, after=then.seq, upto=game.seq)
    state = fold(rules_of(game.rules), (each.fact for each in told), then.state)
    news = tuple(each for each in told if each.at == told[-1].at) or then.news
    now = Known(game.seq, state, news)
    _known.keep(game.code, game.seq, now)
    return now


def _learn(code: str, rules: str, told: Sequence[Told], *, before: int, last: int) -> None:
    """What this process has just written need not be read again, if it knew all before it."""
    seq, then = _known.get(code) or (0, Known())
    if told and seq == before:
        state = fold(rules_of(rules), (each.fact for each in told), then.state)
        _known.keep(code, last, Known(last, state, tuple(told)))


def public_state(game: Game) -> Any:
    """The state at `game.seq` as everybody was told it."""
    return known(game).state


def latest_public_facts(game: Game) -> tuple[Told, ...]:
    """The public facts of the last step, all of one instant, in order."""
    return known(game).news


def public_facts(game: Game, *, after: int, upto: int) -> list[Told]:
    """The facts everybody was told with after < seq <= upto, in order."""
    rows = _public_rows(game, after=after, upto=upto)
    return [Told(row.seq, row.at, _read(game, row), bool(row.automatic)) for row in rows]


def has_automatic_moves(game: Game) -> bool:
    """Whether the clock or a bot has made a move for a person; asked before the log is packed."""
    return Event.objects.filter(game=game, automatic=True).exists()


# --- what one seat knows -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Own:
    """What one seat alone was told since the last deal, up to the sealed fact numbered `seq`."""

    seq: int
    facts: tuple[Fact, ...] = field(repr=False)


def own_of(game: Game, seats: Iterable[int]) -> dict[int, Own]:
    """What each of these seats alone was told; one query for all of them."""
    seats, after, upto = list(seats), game.deal_seq, game.seq
    rows = _rows(
        game,
        Event.unsealed.filter(game=game, only__in=seats, seq__gt=after, seq__lte=upto),
        lambda row: row.only in seats and after < row.seq <= upto,
    )
    told: dict[int, list[Fact]] = {seat: [] for seat in seats}
    for row in rows:
        if row.only is not None:
            told[row.only].append(_read(game, row))
    return {seat: Own(game.sealed_seq, tuple(facts)) for seat, facts in told.items()}


def with_own(game: Game, own: Own) -> Any:
    """The state as a seat was told it: the public one and what was sealed for it alone."""
    return fold(rules_of(game.rules), own.facts, public_state(game))


def known_to(game: Game, seat: int) -> Any:
    """The state as this seat was told it."""
    return with_own(game, own_of(game, [seat])[seat])


# --- the whole truth -----------------------------------------------------------------------------


def unsealed(game: Game) -> Any:
    """The state with every hidden thing in it. For `step` alone, while it judges a move."""
    rows = Event.unsealed.filter(
        game=game, only__isnull=False, seq__gt=game.deal_seq, seq__lte=game.seq
    )
    facts = (_read(game, row) for row in rows.order_by("seq"))
    return fold(rules_of(game.rules), facts, public_state(game))


def unsealed_facts(game: Game) -> list[Told]:
    """Every fact of a finished game, in order. ValueError while it still runs."""
    if game.status != Game.Status.FINISHED:
        raise ValueError("the log of a running game stays sealed")
    rows = _rows(game, Event.unsealed.filter(game=game), lambda row: True)
    return [Told(row.seq, row.at, _read(game, row), bool(row.automatic)) for row in rows]
