"""One channel-layer subscription per process and group, fanned out to its local sockets.

With a thousand spectators at a table, the channel layer delivers one message to each process, and
the process renders once. If every socket were a member of the group, each message would be
delivered and handled a thousand times.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

Subscriber = TypeVar("Subscriber")
Message = dict[str, Any]
# Called with the local subscribers that share this handler, and the message.
Handler = Callable[[Any, Message], Awaitable[None]]
# The handlers of a subscriber by message type; other types are ignored.
Handlers = Mapping[str, Handler]

logger = logging.getLogger(__name__)


class GroupSubscription(Generic[Subscriber]):
    """The subscription of this process to one group; it ends with its last subscriber.

    Each subscriber has handlers by message type. Subscribers with the same handler are passed to
    one call, `handler(subscribers, message)`, and messages are handled one at a time. Of the
    messages that arrive in the meantime, or within `coalesce_seconds`, only the last of each type
    is handled, since a message only says that something has changed. While delivery is paused
    (`pause`), no message is handled.
    """

    def __init__(self, group: str, coalesce_seconds: float) -> None:
        self.group, self.coalesce_seconds = group, coalesce_seconds
        self.subscribers: dict[Subscriber, Handlers] = {}
        self._pending: dict[str, Message] = {}
        self._has_pending = asyncio.Event()
        self.is_handling = False
        self._changing = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self, subscriber: Subscriber, handlers: Handlers) -> None:
        """Add a subscriber; from the return of this call on, it receives every message.

        Raises ValueError if it is already subscribed with other handlers.
        """
        if self.subscribers.setdefault(subscriber, handlers) is not handlers:
            raise ValueError(f"{subscriber!r} is subscribed to {self.group} with other handlers")
        async with self._changing:
            if not self._tasks:
                layer = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(self.group, channel)
                loops = (self._receive(layer, channel), self._handle())
                self._tasks = [asyncio.create_task(loop) for loop in loops]

    async def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber; the last one ends the subscription."""
        self.subscribers.pop(subscriber, None)
        async with self._changing:
            if self.subscribers or not self._tasks:
                return
            tasks, self._tasks = self._tasks, []
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _receive(self, layer: Any, channel: str) -> None:
        try:
            while True:
                message = await layer.receive(channel)
                self._pending[message["type"]] = message
                self._has_pending.set()
        finally:
            with suppress(Exception):  # an unavailable layer drops the membership by itself
                await layer.group_discard(self.group, channel)

    async def _handle(self) -> None:
        while True:
            await self._has_pending.wait()
            await asyncio.sleep(self.coalesce_seconds)
            await _may_deliver.wait()
            self._has_pending.clear()
            self.is_handling = True
            pending, self._pending = self._pending, {}
            for message in pending.values():
                for handler, subscribers in self._by_handler(message["type"]).items():
                    try:
                        await handler(subscribers, message)
                    except Exception:
                        logger.exception(
                            "delivering a message to local sockets failed group=%s", self.group
                        )
            self.is_handling = False

    def _by_handler(self, kind: str) -> dict[Handler, frozenset[Subscriber]]:
        """Group the subscribers that have a handler for this message type by that handler."""
        found: dict[Handler, list[Subscriber]] = {}
        for subscriber, handlers in self.subscribers.items():
            if (handler := handlers.get(kind)) is not None:
                found.setdefault(handler, []).append(subscriber)
        return {handler: frozenset(those) for handler, those in found.items()}

    @property
    def is_idle(self) -> bool:
        """Whether every message received so far has been handled."""
        return not self.is_handling and not self._has_pending.is_set()


# By event loop, because tasks and locks belong to one; a server process has only one.
_subscriptions: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, GroupSubscription[Any]]] = (
    WeakKeyDictionary()
)
# Set unless delivery is paused.
_may_deliver = asyncio.Event()
_may_deliver.set()


def pause() -> None:
    """Stop handling messages in this process, after those that are being handled."""
    _may_deliver.clear()


def resume() -> None:
    """Resume handling, starting with the last message of each type that arrived in the pause."""
    _may_deliver.set()


def is_paused() -> bool:
    return not _may_deliver.is_set()


def is_idle() -> bool:
    """Whether every message received so far in the running event loop has been handled."""
    subscriptions = _subscriptions.get(asyncio.get_running_loop(), {})
    return all(subscription.is_idle for subscription in subscriptions.values())


async def join(
    group: str, subscriber: Any, handlers: Handlers, *, coalesce_seconds: float = 0
) -> None:
    """Subscribe `subscriber` to a group in this process until it leaves.

    `handlers`: the handlers by message type; sockets of one kind share one mapping.
    `coalesce_seconds`: only that of the first subscriber counts. Raises ValueError: see
    `GroupSubscription.join`.
    """
    subscriptions = _subscriptions.setdefault(asyncio.get_running_loop(), {})
    if group not in subscriptions:
        subscriptions[group] = GroupSubscription(group, coalesce_seconds)
    await subscriptions[group].join(subscriber, handlers)


async def leave(group: str, subscriber: Any) -> None:
    """Unsubscribe; does nothing for a subscriber that never joined."""
    subscriptions = _subscriptions.get(asyncio.get_running_loop(), {})
    subscription = subscriptions.get(group)
    if subscription is not None:
        await subscription.leave(subscriber)
        if not subscription.subscribers and subscriptions.get(group) is subscription:
            del subscriptions[group]
