"""Notes for which the database was away, and which nothing repeats: a job writes them later.

Who has a page in view says so again at every heartbeat; who leaves it says it once. The notes wait
in memory: those of a process that ends first are lost, and then the last heartbeat of whoever left
counts for as long as those who read it believe it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import datetime
from typing import Final

from django.db import InterfaceError, OperationalError

# Beyond that, those that have waited longest go.
MOST: Final = 4_000

_waiting: dict[Hashable, Callable[[], object]] = {}


def write(key: Hashable, *, now: Callable[[], object], later: Callable[[], object]) -> None:
    """Write a note `now`; where the database is away, `later`, when what it says may be old."""
    try:
        now()
    except (OperationalError, InterfaceError):
        while len(_waiting) >= MOST:
            del _waiting[next(iter(_waiting))]
        _waiting[key] = later
    else:
        forget(key)


def forget(key: Hashable) -> None:
    """A note that waits under this key is true no longer."""
    _waiting.pop(key, None)


def run(*, now: datetime) -> None:
    """Write what waits. OperationalError or InterfaceError: the rest goes on waiting."""
    for key, note in list(_waiting.items()):
        note()
        if _waiting.get(key) is note:
            del _waiting[key]


def forget_all() -> None:
    """Know of no note, for tests."""
    _waiting.clear()
