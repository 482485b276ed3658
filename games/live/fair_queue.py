"""Fair queue for the games thread: round robin over addresses, then over the users of each.

Requests of many sockets wait here instead of in the thread's own queue, where they would delay
moves and clocks. A user with hundreds of sockets delays only themselves.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

# The longest rest in seconds, even after a long turn such as one that waited for the database.
MOST_REST: Final = 0.25

Waiting = OrderedDict[Hashable, deque[asyncio.Future[None]]]


class FairQueue:
    """Allow at most `at_once` concurrent turns, which use at most `share` of the time.

    To this end a slot rests after each turn, in proportion to the turn's duration. The busier the
    process is, the longer turns take and the more slowly they follow each other.
    """

    def __init__(self, *, at_once: int, share: float = 1.0) -> None:
        self.at_once, self.share = at_once, share
        self._free = at_once
        # Waiting turns by address and person; the first of each is served next and then goes last.
        self._addresses: OrderedDict[str, Waiting] = OrderedDict()
        self.waiting = 0

    @asynccontextmanager
    async def turn(self, address: str, person: Hashable) -> AsyncIterator[None]:
        """Wait for a turn of this person at this address; the turn ends with the block."""
        if self._free and not self._addresses:
            self._free -= 1
        else:
            await self._wait(address, person)
        began = monotonic()
        try:
            yield
        finally:
            self._rest((monotonic() - began) * (1 / self.share - 1))

    async def _wait(self, address: str, person: Hashable) -> None:
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        people = self._addresses.setdefault(address, OrderedDict())
        people.setdefault(person, deque()).append(granted)
        self.waiting += 1
        try:
            await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self._rest(0)
            raise
        finally:
            self.waiting -= 1

    def _rest(self, seconds: float) -> None:
        if seconds > 0:
            asyncio.get_running_loop().call_later(min(seconds, MOST_REST), self._free_one)
        else:
            self._free_one()

    def _free_one(self) -> None:
        """Give the slot to the next waiting turn, or mark it as free."""
        while self._addresses:
            address, people = self._addresses.popitem(last=False)
            person, sockets = people.popitem(last=False)
            granted = sockets.popleft()
            if sockets:
                people[person] = sockets
            if people:
                self._addresses[address] = people
            if not granted.done():  # otherwise its task was cancelled
                granted.set_result(None)
                return
        self._free += 1


class PerLoop:
    """One queue per event loop, since futures belong to a loop; a server process has one loop."""

    def __init__(self, *, at_once: int, share: float = 1.0) -> None:
        self.at_once, self.share = at_once, share
        self._queues: WeakKeyDictionary[asyncio.AbstractEventLoop, FairQueue] = WeakKeyDictionary()

    def __call__(self) -> FairQueue:
        """Return the queue of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._queues:
            self._queues[loop] = FairQueue(at_once=self.at_once, share=self.share)
        return self._queues[loop]

    def waiting(self) -> int:
        """Return the number of waiting turns in all loops."""
        return sum(queue.waiting for queue in list(self._queues.values()))


# For sending the current state to sockets: handshakes, first renders, looks and heartbeats. Moves
# and clocks keep at least the other half of the games thread, and wait for at most one of these.
LOOKS: Final = PerLoop(at_once=1, share=0.5)
# For all moves that arrive over sockets.
MOVES: Final = PerLoop(at_once=2)
