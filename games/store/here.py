"""Queries for the people who count as present, for the numbers shown on pages.

While a person waits at an open table, their pages report that they are open: the page of the table
in `Seat.seen_at`, any other page of the site in `Seat.present_at`. In a running game, players are
present until a bot plays for them or they leave, and players who are out while they watch.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q

from games.models import IN_LINE, Game, Search, Seat

# A page reports at least every minute; each report counts for this long.
BELIEVED_FOR: Final = timedelta(seconds=75)

Status = Game.Status


def host_is_here(game: Game, *, now: datetime) -> bool:
    """Whether the host of an open table has a page open; the game has its seats as `taken`."""
    return any(seat.user_id == game.host_id and _waits(seat, now=now) for seat in game.taken)


def people(game: Game, *, now: datetime, reader: int | None = None) -> list[Seat]:
    """Return the seats of present people at a table with its seats as `taken`.

    `reader`: the id of a user who has a page open right now.
    """
    is_here = _plays if game.status == Status.PLAYING else _waits
    return [
        seat
        for seat in game.taken
        if not seat.bot and (seat.user_id == reader or is_here(seat, now=now))
    ]


def waiting_at_open_tables(*, now: datetime) -> Q:
    """Return a condition for seats at open tables: their people have a page open."""
    since = now - BELIEVED_FOR
    return Q(seen_at__gt=since) | Q(present_at__gt=since)


def with_host_here(*, now: datetime) -> Exists:
    """Return `host_is_here` as a condition for open tables."""
    hosts = Seat.objects.filter(game=OuterRef("pk"), user=OuterRef("host"))
    return Exists(hosts.filter(waiting_at_open_tables(now=now)))


def in_line(*, now: datetime) -> Any:
    """Return the searches of people in line who have a page open or have just answered."""
    there = Q(state=Search.State.READY) | Q(seen_at__gt=now - BELIEVED_FOR)
    return Search.objects.filter(there, state__in=IN_LINE, table__status=Status.OPEN)


def _waits(seat: Seat, *, now: datetime) -> bool:
    since = now - BELIEVED_FOR
    return any(at is not None and at > since for at in (seat.seen_at, seat.present_at))


def _plays(seat: Seat, *, now: datetime) -> bool:
    """Whether a seat's person is present in a running game, where `seen_at` is None until out."""
    is_out = seat.seen_at is not None
    return not (seat.gone or seat.asleep or (is_out and not _waits(seat, now=now)))
