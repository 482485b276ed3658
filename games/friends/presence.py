"""Who is here: a person with friends, while a page of theirs has a socket. Friends alone read it.

A hidden page closes its socket, so that whoever is here can be reached. Sockets only note it in
memory; a job of the process writes it now and then, in one statement for all, so that no socket
ever waits for a lock. There is a row only for who has friends.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from math import inf
from time import monotonic
from typing import Final

from django.db.models import QuerySet

from games.models import Presence

# Sockets note it with their heartbeats, once a minute at least.
WRITE_EVERY_SECONDS: Final = 40.0
BELIEVED_FOR: Final = timedelta(seconds=110)
_FORGOTTEN_AFTER_SECONDS: Final = 70.0
_AT_ONCE: Final = 500

# By user id: when this process last saw them, and when it wrote so, by time.monotonic.
_seen: dict[int, float] = {}
_written: dict[int, float] = {}


def saw(user_id: int) -> None:
    """A socket of this person lives."""
    _seen[user_id] = monotonic()


def write(now: datetime, share: float) -> bool:
    """Write who is here; a job, and nothing is ever left."""
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
    """Write that these people are here; of those without friends there is nothing to write."""
    ids = sorted(user_ids)
    for first in range(0, len(ids), _AT_ONCE):
        chosen = Presence.objects.filter(pk__in=ids[first : first + _AT_ONCE])
        chosen.update(seen_at=now)


def begin(user_ids: Iterable[int]) -> None:
    """Begin to write when these people are here: they have a friend now."""
    rows = [Presence(user_id=each) for each in sorted(user_ids)]
    Presence.objects.bulk_create(rows, ignore_conflicts=True)
    for each in rows:
        _written.pop(each.user_id, None)


def here(user_ids: Iterable[int], *, now: datetime) -> set[int]:
    """Who of these people is here, as far as they show it."""
    return set(shown(user_ids, now=now).values_list("pk", flat=True))


def shown(user_ids: Iterable[int], *, now: datetime) -> QuerySet[Presence]:
    """The rows of those who are `here`."""
    seen = Presence.objects.filter(pk__in=list(user_ids), seen_at__gt=now - BELIEVED_FOR)
    return seen.filter(user__shows_online=True)


def forget(user_id: int) -> None:
    """Delete what is written of a person."""
    Presence.objects.filter(pk=user_id).delete()
