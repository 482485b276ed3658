"""Presence updates that a database outage prevented; a job writes them later.

A page in view repeats its heartbeat, but reports only once that it was left. Such a report waits in
memory. If the process ends first, it is lost, and the person's last heartbeat counts until its
readers consider it expired.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import datetime
from typing import Final

from django.db import InterfaceError, OperationalError

# With more than this, the oldest notes are dropped.
MOST: Final = 4_000

_waiting: dict[Hashable, Callable[[], object]] = {}


def write(key: Hashable, *, now: Callable[[], object], later: Callable[[], object]) -> None:
    """Call `now`, or queue `later` if the database is away; by then the note may be outdated."""
    try:
        now()
    except (OperationalError, InterfaceError):
        while len(_waiting) >= MOST:
            del _waiting[next(iter(_waiting))]
        _waiting[key] = later
    else:
        forget(key)


def forget(key: Hashable) -> None:
    """Drop the queued note of this key, which no longer holds."""
    _waiting.pop(key, None)


def run(*, now: datetime) -> None:
    """Write the queued notes; on OperationalError or InterfaceError the rest stays queued."""
    for key, note in list(_waiting.items()):
        note()
        if _waiting.get(key) is note:
            del _waiting[key]


def forget_all() -> None:
    """Drop all queued notes, for tests."""
    _waiting.clear()
