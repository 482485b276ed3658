"""Presence of people with friends: they are here while a page of theirs has a socket.

Only friends read it. A hidden page closes its socket, so a person who is here can be reached.
Sockets only note it in memory; a job of the process writes the notes now and then, for up to 500
people per statement, so that no socket waits for a lock. Only people with friends have a row.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from math import inf
from time import monotonic
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from games.models import Mute, Presence

# Sockets note presence with their heartbeats, at least once a minute.
WRITE_EVERY_SECONDS: Final = 40.0
BELIEVED_FOR: Final = timedelta(seconds=110)
_FORGOTTEN_AFTER_SECONDS: Final = 70.0
_AT_ONCE: Final = 500

# By user id: when this process last saw them, and when it last wrote that, by time.monotonic.
_seen: dict[int, float] = {}
_written: dict[int, float] = {}


def saw(user_id: int) -> None:
    """Note in memory that a socket of this person is alive."""
    _seen[user_id] = monotonic()


def write(now: datetime, share: float) -> bool:
    """Write the noted presence to the database: a job. Returns False, as nothing is ever left."""
    at = monotonic()
    for user_id, seen in list(_seen.items()):
        if at - seen > _FORGOTTEN_AFTER_SECONDS:
            _seen.pop(user_id, None)
            _written.pop(user_id, None)
    due = [
        user_id
        for user_id, seen in list(_seen.items())
        if seen > (last := _written.get(user_id, -inf)) and at - last >= WRITE_EVERY_SECONDS
    ]
    note(due, now=now)
    _written.update(dict.fromkeys(due, at))
    return False


def note(user_ids: Iterable[int], *, now: datetime) -> None:
    """Write that these people are here; people without friends have no row and are skipped."""
    ids = sorted(user_ids)
    for first in range(0, len(ids), _AT_ONCE):
        chosen = Presence.objects.filter(pk__in=ids[first : first + _AT_ONCE])
        chosen.update(seen_at=now)


def begin(user_ids: Iterable[int]) -> None:
    """Create presence rows for people who have just got a friend."""
    rows = [Presence(user_id=each) for each in sorted(user_ids)]
    Presence.objects.bulk_create(rows, ignore_conflicts=True)
    for each in rows:
        _written.pop(each.user_id, None)


def here(user_ids: Iterable[int], *, now: datetime, to: User | None = None) -> set[int]:
    """The ids of those of these people who are here and show it to the person `to`."""
    return set(shown(user_ids, now=now, to=to).values_list("pk", flat=True))


def shown(user_ids: Iterable[int], *, now: datetime, to: User | None = None) -> QuerySet[Presence]:
    """The rows of the people who are here and show it to `to`."""
    seen = Presence.objects.filter(pk__in=list(user_ids), seen_at__gt=now - BELIEVED_FOR)
    blocked = Mute.objects.filter(by=OuterRef("pk"), whom=to, blocked=True)
    return seen.filter(~Exists(blocked), user__shows_online=True)


def forget(user_id: int) -> None:
    """Delete a person's row."""
    Presence.objects.filter(pk=user_id).delete()
