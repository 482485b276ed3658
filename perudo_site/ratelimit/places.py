"""How many requests of one client are in hand at once, and how many wait for that."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Place:
    """One request in hand; `leave` may be called more than once."""

    def __init__(self, semaphore: asyncio.Semaphore) -> None:
        self._semaphore: asyncio.Semaphore | None = semaphore

    def leave(self) -> None:
        """Let the next one of the same client begin."""
        if self._semaphore is not None:
            self._semaphore.release()
            self._semaphore = None


class Places:
    """Places of all clients by key; nothing is kept of a client without a request."""

    def __init__(self) -> None:
        self._semaphores: dict[str, asyncio.Semaphore] = {}
        self._requests: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()

    @asynccontextmanager
    async def place(
        self, key: str, *, most: int, waiting: int, seconds: float
    ) -> AsyncIterator[Place | None]:
        """A place among `most` of this key; None when `waiting` others wait for one already.

        None too when there was none within `seconds`. The place is left at the end at the latest.
        """
        semaphore = self._semaphores.setdefault(key, asyncio.Semaphore(most))
        self._requests[key] += 1
        place = None
        try:
            if not semaphore.locked() or self._waiting[key] < waiting:
                place = await self._wait(key, semaphore, seconds)
            yield place
        finally:
            if place is not None:
                place.leave()
            self._requests[key] -= 1
            if not self._requests[key]:
                del self._requests[key], self._semaphores[key], self._waiting[key]

    async def _wait(self, key: str, semaphore: asyncio.Semaphore, seconds: float) -> Place | None:
        self._waiting[key] += 1
        try:
            async with asyncio.timeout(seconds):
                await semaphore.acquire()
        except TimeoutError:
            return None
        finally:
            self._waiting[key] -= 1
        return Place(semaphore)

    def __len__(self) -> int:
        """Clients with a request."""
        return len(self._requests)
