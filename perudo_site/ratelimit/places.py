"""Concurrency limit per client: requests in progress, and requests that wait for a place."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Place:
    """The place of one request in progress; `leave` may be called more than once."""

    def __init__(self, semaphore: asyncio.Semaphore) -> None:
        self._semaphore: asyncio.Semaphore | None = semaphore

    def leave(self) -> None:
        """Let the next request of the same client begin."""
        if self._semaphore is not None:
            self._semaphore.release()
            self._semaphore = None


class Places:
    """The places of all clients by key; nothing is stored for a client without a request."""

    def __init__(self) -> None:
        self._semaphores: dict[str, asyncio.Semaphore] = {}
        self._requests: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()

    @asynccontextmanager
    async def place(
        self, key: str, *, most: int, waiting: int, seconds: float
    ) -> AsyncIterator[Place | None]:
        """Wait for one of the `most` places of this key; the context's end releases it.

        Yield None if `waiting` others wait already, or if no place is free within `seconds`.
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
        """The number of clients with a request."""
        return len(self._requests)
