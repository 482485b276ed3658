"""The log of facts: the only place that touches its rows, and that knows who was told what."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

from django.db import IntegrityError, transaction

from games.models import Event, Game
from games.rules import rules_of
from games.rules.contract import Fact, fold, pack, unpack


class SomeoneWasFaster(Exception):
    """Another writer took this number of the log."""


@dataclass(frozen=True, slots=True)
class Told:
    """A fact with its place in the log and the time it became true."""

    seq: int
    at: datetime
    fact: Fact


def append(game: Game, facts: Iterable[Fact], *, at: datetime) -> int:
    """Write facts behind `game.seq`, return the last number; SomeoneWasFaster if one is taken."""
    rows = []
    for seq, fact in enumerate(facts, start=game.seq + 1):
        data = pack(fact)
        rows.append(
            Event(game=game, seq=seq, only=fact.only, kind=data.pop("kind"), data=data, at=at)
        )
    try:
        with transaction.atomic():
            Event.unsealed.bulk_create(rows)
    except IntegrityError:
        raise SomeoneWasFaster from None  # a database's own words may quote the row
    return game.seq + len(rows)


def _read(game: Game, row: Event) -> Fact:
    """The fact of a row; ValueError names the row, never what it holds: it may be sealed."""
    try:
        return unpack(rules_of(game.rules).FACTS, {"kind": row.kind, **row.data})
    except (ValueError, TypeError):
        raise ValueError(f"fact {row.seq} of game {game.code} cannot be read") from None


# --- what everybody knows ------------------------------------------------------------------------

# The public state of a game at the last number this process saw. It spares folding the whole
# game again for every move; a hidden die is never in it. Keyed by the unguessable code. It holds
# committed facts only, because a step of `play` is a transaction of its own that reads before it
# writes, and nobody else reads the log inside a transaction.
_known: OrderedDict[str, tuple[int, Any]] = OrderedDict()
_known_lock = Lock()
_KNOWN_GAMES = 2_000


def public_state(game: Game) -> Any:
    """The state at `game.seq` as everybody was told it: what was known plus the new facts."""
    with _known_lock:
        seq, state = _known.get(game.code, (0, None))
    if seq > game.seq:  # somebody looks back in time
        seq, state = 0, None
    if seq < game.seq:
        rows = Event.objects.filter(game=game, seq__gt=seq, seq__lte=game.seq).order_by("seq")
        state = fold(rules_of(game.rules), (_read(game, row) for row in rows), state)
        with _known_lock:
            if _known.get(game.code, (0, None))[0] < game.seq:
                _known[game.code] = (game.seq, state)
                _known.move_to_end(game.code)
            while len(_known) > _KNOWN_GAMES:
                _known.popitem(last=False)
    return state


def public_facts(game: Game, *, after: int, upto: int) -> list[Told]:
    """The facts everybody was told with after < seq <= upto, in order."""
    rows = Event.objects.filter(game=game, seq__gt=after, seq__lte=upto).order_by("seq")
    return [Told(row.seq, row.at, _read(game, row)) for row in rows]


def latest_public_facts(game: Game, most: int = 16) -> list[Told]:
    """The public facts of the last step, all of one instant, in order."""
    rows = list(Event.objects.filter(game=game, seq__lte=game.seq).order_by("-seq")[:most])
    step = [row for row in reversed(rows) if row.at == rows[0].at]
    return [Told(row.seq, row.at, _read(game, row)) for row in step]


# --- what one seat knows -------------------------------------------------------------------------


def known_to(game: Game, seat: int) -> Any:
    """The state as this seat was told it: the public one and what was sealed for it alone."""
    rows = Event.unsealed.filter(game=game, only=seat, seq__gt=game.deal_seq, seq__lte=game.seq)
    return _with_sealed(game, rows.order_by("seq"))


# --- the whole truth -----------------------------------------------------------------------------


def unsealed(game: Game) -> Any:
    """The state with every hidden thing in it. For `play` alone, while it judges a move."""
    rows = Event.unsealed.filter(
        game=game, only__isnull=False, seq__gt=game.deal_seq, seq__lte=game.seq
    )
    return _with_sealed(game, rows.order_by("seq"))


def unsealed_facts(game: Game) -> list[Told]:
    """Every fact of a finished game, in order. ValueError while it still runs."""
    if game.status != Game.Status.FINISHED:
        raise ValueError("the log of a running game stays sealed")
    rows = Event.unsealed.filter(game=game).order_by("seq")
    return [Told(row.seq, row.at, _read(game, row)) for row in rows]


def _with_sealed(game: Game, rows: Iterable[Event]) -> Any:
    return fold(rules_of(game.rules), (_read(game, row) for row in rows), public_state(game))
