"""Maintenance of open tables: acting hosts, missing closing times and compensation for downtime.

Each change is a conditional update and advances `seq`, so that pages show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Prefetch, Q, QuerySet

from games.models import Game, Seat
from games.play import announce, first_deal
from games.play.first_deal import closing_time

# A host counts as away after this long without an open page or an action. An open page sends a
# heartbeat every 30 s at most (see `presence`).
HOST_AWAY: Final = timedelta(minutes=2)
# The least time that a table stays open after a downtime, so that its people can return.
OPEN_AT_LEAST: Final = timedelta(minutes=5)


def give_closing_time(code: str, *, now: datetime) -> None:
    """Set the usual closing time of an open table that has none."""
    _change(Game.objects.filter(code=code, due_at=None), due_at=closing_time(now))


def give_back(*, lost: timedelta, now: datetime) -> None:
    """Postpone the closing of open tables by a downtime, in which nobody could join them.

    They stay open for at least OPEN_AT_LEAST, and at most as long as after a change. Those that
    wait for salts begin.
    """
    tables = Game.objects.filter(status=Game.Status.OPEN, due_at__isnull=False)
    tables = tables.exclude(pk__in=first_deal.waiting())
    tables.update(seq=F("seq") + 1, due_at=F("due_at") + lost)
    latest, soonest = closing_time(now), now + OPEN_AT_LEAST
    tables.filter(due_at__gt=latest).update(due_at=latest)
    tables.filter(due_at__lt=soonest).update(due_at=min(soonest, latest))


def name_acting_hosts(*, now: datetime) -> None:
    """Name an acting host where the host is away, and remove them once the host is back."""
    seats = Prefetch("seat_set", Seat.objects.filter(user__isnull=False), to_attr="people")
    here = Q(seat__user=F("host"), seat__seen_at__gt=now - HOST_AWAY)
    tables = Game.objects.filter(status=Game.Status.OPEN).prefetch_related(seats)
    present = Game.objects.filter(here, status=Game.Status.OPEN).values("pk")
    for game in tables.filter(~Q(pk__in=present) | Q(acting_host__isnull=False)):
        people: Sequence[Seat] = game.people
        heir = _next_in_line(game, people, now=now)
        if heir != game.acting_host_id:
            same = Game.objects.filter(pk=game.pk, host=game.host_id)
            _change(same.filter(acting_host=game.acting_host_id), acting_host=heir)


def _next_in_line(game: Game, people: Sequence[Seat], *, now: datetime) -> int | None:
    """Return the first present person if the host is away; None: the host or nobody is present."""
    here = [seat.user_id for seat in people if seat.seen_at and now - seat.seen_at < HOST_AWAY]
    return None if game.host_id in here else next(iter(here), None)


def _change(tables: QuerySet[Game], **fields: object) -> None:
    """Change an open table and announce it to its pages, unless it changed since it was read."""
    found = tables.filter(status=Game.Status.OPEN).values_list("pk", "code", "seq").first()
    if found is not None:
        pk, code, seq = found
        if tables.filter(pk=pk, seq=seq, status=Game.Status.OPEN).update(seq=seq + 1, **fields):
            announce.game_changed(code, seq + 1)
