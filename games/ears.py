"""What one process hears of a group: one subscription for all the sockets in it that listen.

A thousand spectators of a table are one message of the channel layer for each process, and one
look. Without it every socket would be a member of the group, and every message a thousand.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

# The channel layer may drop a membership without a word, so it is renewed this often.
RENEWED_SECONDS = 20

Listener = TypeVar("Listener")
Message = dict[str, Any]
Hears = Callable[[Any, Message], Awaitable[None]]

logger = logging.getLogger(__name__)


class Ear(Generic[Listener]):
    """The subscription to one group; it ends with its last listener.

    `hears(listeners, message)` is called for one message after the other. Messages that come
    while it is busy, or within `pause` seconds, are heard as the last one of their type: each
    says that something is new, and none what.
    """

    def __init__(self, group: str, hears: Hears, pause: float) -> None:
        self.group, self.hears, self.pause = group, hears, pause
        self.listeners: set[Listener] = set()
        self._news: dict[str, Message] = {}
        self._something = asyncio.Event()
        self._opening = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self, listener: Listener) -> None:
        """From here on nothing that is said is missed."""
        self.listeners.add(listener)
        async with self._opening:
            if not self._tasks:
                layer = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(self.group, channel)
                lasting = (self._listen(layer, channel), self._tell(), self._renew(layer, channel))
                self._tasks = [asyncio.create_task(one) for one in lasting]

    async def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        async with self._opening:
            if self.listeners or not self._tasks:
                return
            tasks, self._tasks = self._tasks, []
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self, layer: Any, channel: str) -> None:
        try:
            while True:
                message = await layer.receive(channel)
                self._news[message["type"]] = message
                self._something.set()
        finally:
            with suppress(Exception):  # a layer that is out of reach has forgotten us anyway
                await layer.group_discard(self.group, channel)

    async def _tell(self) -> None:
        while True:
            await self._something.wait()
            await asyncio.sleep(self.pause)
            self._something.clear()
            news, self._news = self._news, {}
            for message in news.values():
                try:
                    await self.hears(frozenset(self.listeners), message)
                except Exception:
                    logger.exception("what was said to %s came to nobody", self.group)

    async def _renew(self, layer: Any, channel: str) -> None:
        while True:
            await asyncio.sleep(RENEWED_SECONDS)
            try:
                await layer.group_add(self.group, channel)
            except Exception:
                logger.warning("the membership of %s is not renewed", self.group)


# By event loop, because tasks and locks belong to one; a process that serves has just one.
_ears: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Ear[Any]]] = WeakKeyDictionary()


async def join(group: str, listener: Any, hears: Hears, *, pause: float = 0) -> None:
    """Let `listener` hear what is said to a group, in this process, until it leaves."""
    ears = _ears.setdefault(asyncio.get_running_loop(), {})
    if group not in ears:
        ears[group] = Ear(group, hears, pause)
    await ears[group].join(listener)


async def leave(group: str, listener: Any) -> None:
    """Hear no more; a listener that never joined may leave too."""
    ears = _ears.get(asyncio.get_running_loop(), {})
    ear = ears.get(group)
    if ear is not None:
        await ear.leave(listener)
        if not ear.listeners and ears.get(group) is ear:
            del ears[group]
