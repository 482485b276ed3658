"""A bounded pool of threads for requests; each thread is a separate executor.

A request stays on one thread, and so does its database connection. With several threads it waits
for any free one, not in the queue of one that may be busy for long.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Self


class Threads:
    """Threads that run one request each; `one` waits for a free one, first come, first served."""

    def __init__(self, executors: Iterable[ThreadPoolExecutor]) -> None:
        self._executors = tuple(executors)
        self._free = list(self._executors)
        self._count = asyncio.Semaphore(len(self._free))
        self.single = self._executors[0] if len(self._executors) == 1 else None

    @classmethod
    def named(cls, name: str, count: int = 1) -> Self:
        """Create threads, which start when they are first needed."""
        return cls(ThreadPoolExecutor(max_workers=1, thread_name_prefix=name) for _ in range(count))

    def __len__(self) -> int:
        return len(self._executors)

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Thread]:
        """Hold a free thread until its `leave` is called, or until the end of the context.

        A single thread is returned even if it is busy, since its executor has a queue.
        """
        if self.single is not None:
            yield Thread(None, self.single)
            return
        await self._count.acquire()
        thread = Thread(self, self._free.pop())
        try:
            yield thread
        finally:
            thread.leave()

    def submit(self, work: Callable[[], object]) -> None:
        """Run `work` on the first of the threads, in the background."""
        self._executors[0].submit(work)

    def shut(self) -> None:
        """Cancel queued work, at the end of the process."""
        for executor in self._executors:
            executor.shutdown(wait=False, cancel_futures=True)

    def _leave(self, executor: ThreadPoolExecutor) -> None:
        self._free.append(executor)
        self._count.release()


class Thread:
    """One thread in use; `leave` may be called more than once."""

    def __init__(self, threads: Threads | None, executor: ThreadPoolExecutor) -> None:
        self.executor = executor
        self._threads = threads

    def leave(self) -> None:
        """Let another request use the thread."""
        if self._threads is not None:
            self._threads._leave(self.executor)
            self._threads = None
