"""Wake this process's scheduler as soon as a deadline that this process has set has passed.

Every process handles the deadlines it has set itself. If a process has ended, the scheduler of
another one finds its overdue games in a regular tick (`shards`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from math import inf
from typing import Final

from django.db import transaction
from django.utils import timezone

# Passed deadlines are remembered as this process's own for this long, and at most this many of them
# (those that passed first). Other games are played by any process, as overdue ones.
_KEPT: Final = timedelta(seconds=60)
_MOST_PASSED: Final = 1000

_current: Alarm | None = None


class Alarm:
    """The latest deadline that this process has set for each game, by its code.

    Created in the scheduler's event loop, and used only there.
    """

    def __init__(self) -> None:
        global _current
        self._loop = asyncio.get_running_loop()
        self._deadlines: dict[str, datetime] = {}
        self._passed: dict[str, datetime] = {}  # those that no longer end a sleep
        self._rung = asyncio.Event()
        self._changed = asyncio.Event()
        _current = self

    def ring(self) -> None:
        """End the current sleep and every later one immediately."""
        self._rung.set()
        self._changed.set()

    async def sleep(self, *, least: float, most: float) -> None:
        """Sleep until the next deadline has passed, between `least` and `most` seconds."""
        began = self._loop.time()
        while not self._rung.is_set():
            left = min(began + most - self._loop.time(), self._seconds_left())
            if left <= 0:
                break
            self._changed.clear()
            await _wait(self._changed, left)
        await _wait(self._rung, began + least - self._loop.time())
        now = timezone.now()
        kept = {code: at for code, at in self._passed.items() if at > now - _KEPT}
        self._passed = kept | {code: at for code, at in self._deadlines.items() if at <= now}
        self._deadlines = {code: at for code, at in self._deadlines.items() if at > now}

    def _seconds_left(self) -> float:
        if not self._deadlines:
            return inf
        return (min(self._deadlines.values()) - timezone.now()).total_seconds()

    def passed(self, now: datetime) -> dict[str, datetime]:
        """Return the deadlines that have passed, by game code; safe on any thread."""
        every = [*list(self._passed.items()), *list(self._deadlines.items())]
        passed = sorted((at, code) for code, at in every if now - _KEPT < at <= now)
        return {code: at for at, code in passed[:_MOST_PASSED]}

    def _forget(self, deadlines: Mapping[str, datetime]) -> None:
        for code, at in deadlines.items():
            if self._passed.get(code) == at:
                del self._passed[code]

    def _set(self, code: str, deadline: datetime | None) -> None:
        self._passed.pop(code, None)
        if deadline is None:
            self._deadlines.pop(code, None)
        else:
            self._deadlines[code] = deadline
            self._changed.set()


async def _wait(event: asyncio.Event, seconds: float) -> None:
    if seconds > 0:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await event.wait()


def ring() -> None:
    """End the current and every later sleep of this process's scheduler immediately."""
    if _current is not None:
        _current.ring()


def passed(*, now: datetime) -> dict[str, datetime]:
    """Return the passed deadlines among the latest that this process has set, by game code.

    Safe to call on any thread. Empty in a process without a scheduler.
    """
    return {} if _current is None else _current.passed(now)


def forget(deadlines: Mapping[str, datetime]) -> None:
    """Forget passed deadlines whose games have moved on."""
    if _current is not None and deadlines:
        with suppress(RuntimeError):  # the loop has ended
            _current._loop.call_soon_threadsafe(_current._forget, deadlines)


def set_on_commit(code: str, deadline: datetime | None) -> None:
    """After the commit, set the time at which this process's scheduler wakes for the game.

    None: the game waits without a time limit, or is over. Safe to call on any thread. Does nothing
    in a process without a scheduler, such as a management command.
    """
    transaction.on_commit(partial(_set, code, deadline), robust=True)


def _set(code: str, deadline: datetime | None) -> None:
    if _current is not None:
        with suppress(RuntimeError):  # the loop has ended
            _current._loop.call_soon_threadsafe(_current._set, code, deadline)
