"""Redis subscriptions of a process: the channels of the groups that have local sockets.

One task (`run`) owns the connection. Other tasks record the changes they need, and that task sends
them in batches: at most one SUBSCRIBE is pending, and groups joined in the meantime are in the next
batch. A group that is not needed any more stays subscribed for a while, since people often go from
one page of a group to another.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from games.live.outage_handling import first_line

UNAVAILABLE: Final = (RedisError, OSError, TimeoutError)
# A connection that received nothing for this long is broken.
SILENCE_SECONDS: Final = 6.0
RETRY_SECONDS: Final = 0.3
# How long a first member waits until its group is subscribed; Redis takes about a millisecond.
CONFIRMATION_SECONDS: Final = 0.1
# How long a group without members stays subscribed, and how often such groups are unsubscribed.
KEPT_SECONDS: Final = 5.0
UNSUBSCRIBE_EVERY_SECONDS: Final = 1.0

logger = logging.getLogger(__name__)


class Subscriptions:
    """Receiver of messages on the common channel `channel` and the channels of wanted groups.

    `connect` creates a client. `deliver(data, is_common)` handles a message. `look_again(groups)`
    makes these groups (None: all) check for lost messages.
    """

    def __init__(
        self,
        connect: Callable[[], Redis],
        channel: str,
        *,
        deliver: Callable[[bytes, bool], Awaitable[None]],
        look_again: Callable[[Collection[str] | None], None],
    ) -> None:
        self.channel = channel
        self.is_connected = False  # and `look_again` was called for all groups since
        self._connect, self._deliver, self._look_again = connect, deliver, look_again
        self._wanted: set[str] = set()
        self._unneeded: dict[str, float] = {}  # wanted until these times of time.monotonic
        self._to_ask: set[str] = set()  # wanted, not yet requested on this connection
        self._asked: set[str] = set()  # requested, not yet confirmed
        self._confirmed: set[str] = set()
        # Groups whose members did not wait for the confirmation, and may have missed a message.
        self._late: set[str] = set()
        self._waiting: dict[str, asyncio.Event] = {}
        self._reading: asyncio.Timeout | None = None  # of a read, for interrupting it
        self._received_at = self._unsubscribes_at = 0.0  # in seconds of time.monotonic

    def group_channel(self, group: str) -> str:
        """Return the name of the Redis channel of a group."""
        return f"{self.channel}:{group}"

    async def want(self, group: str) -> None:
        """Subscribe to a group, so that no message after this call is lost.

        It waits for Redis for at most `CONFIRMATION_SECONDS`, and not at all while Redis is
        unavailable or slow. If it did not wait for the confirmation, the group checks for lost
        messages when that arrives.
        """
        self._unneeded.pop(group, None)
        self._wanted.add(group)
        if group in self._confirmed:
            return
        if group not in self._asked:
            self._to_ask.add(group)
            self._interrupt()
        if self.is_connected and not self._late:
            confirmed = self._waiting.setdefault(group, asyncio.Event())
            with suppress(TimeoutError):
                await asyncio.wait_for(confirmed.wait(), CONFIRMATION_SECONDS)
        if group not in self._confirmed:
            self._late.add(group)

    def unneed(self, group: str) -> None:
        """Unsubscribe from a group after KEPT_SECONDS, unless it is wanted again before."""
        if group in self._wanted:
            self._unneeded[group] = monotonic() + KEPT_SECONDS

    async def run(self) -> None:
        """Receive messages forever, reconnecting after each gap."""
        gap = False
        while True:
            redis = self._connect()
            try:
                async with redis.pubsub() as pubsub:
                    await self._subscribe_to_all(pubsub)
                    while True:
                        await self._ask(pubsub)
                        event = await self._next_event(pubsub)
                        if event is not None:
                            await self._handle(event)
                        gap = gap and not self.is_connected
            except UNAVAILABLE as error:
                if not gap:
                    logger.warning(
                        "channel layer subscription lost: Redis unavailable error=%s",
                        first_line(error),
                    )
                gap = True
            finally:
                self.is_connected = False
                with suppress(*UNAVAILABLE):
                    await redis.aclose()
            await asyncio.sleep(RETRY_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311

    # --- in the task that owns the connection ----------------------------------------------------

    async def _subscribe_to_all(self, pubsub: PubSub) -> None:
        self._confirmed.clear()
        self._to_ask.clear()
        self._asked = set(self._wanted)
        self._received_at = monotonic()
        # Redis confirms in this order, so the last confirmation means that all are active.
        await pubsub.subscribe(*map(self.group_channel, sorted(self._asked)), self.channel)

    async def _ask(self, pubsub: PubSub) -> None:
        """Send pending changes; a new batch of groups waits until the previous one is active."""
        if self._to_ask and not self._asked:
            self._asked, self._to_ask = self._to_ask, set()
            await pubsub.subscribe(*map(self.group_channel, sorted(self._asked)))
        now = monotonic()
        if now >= self._unsubscribes_at:
            self._unsubscribes_at = now + UNSUBSCRIBE_EVERY_SECONDS
            # Unconfirmed groups wait, as their confirmation could be mistaken for a later one.
            gone = {
                group
                for group, until in self._unneeded.items()
                if until <= now and group not in self._asked
            }
            for group in gone:
                del self._unneeded[group]
            for groups in (self._wanted, self._to_ask, self._late):
                groups -= gone
            gone &= self._confirmed
            self._confirmed -= gone
            if gone:
                await pubsub.unsubscribe(*map(self.group_channel, sorted(gone)))

    async def _next_event(self, pubsub: PubSub) -> dict[str, object] | None:
        """Return the next event, or None if the read was interrupted.

        Raises TimeoutError after a silence of SILENCE_SECONDS.
        """
        left = self._received_at + SILENCE_SECONDS - monotonic()
        if left <= 0:
            raise TimeoutError("nothing received")
        try:
            # A read may end at any moment, as by its own timeout; received data stays buffered.
            async with asyncio.timeout(None) as self._reading:
                event: dict[str, Any] | None = await pubsub.get_message(timeout=left)
        except TimeoutError:
            return None
        finally:
            self._reading = None
        if event is not None:
            self._received_at = monotonic()
        return event

    def _interrupt(self) -> None:
        """Interrupt the read of the task that owns the connection, so that it sends changes."""
        if self._reading is not None and not self._asked:
            self._reading.reschedule(asyncio.get_running_loop().time())
            self._reading = None

    async def _handle(self, event: dict[str, Any]) -> None:
        channel = event["channel"].decode()
        if event["type"] == "message":
            await self._deliver(event["data"], channel == self.channel)
        elif event["type"] == "subscribe" and channel == self.channel:
            self.is_connected = True
            self._look_again(None)
        elif event["type"] == "subscribe":
            self._confirm(channel.removeprefix(f"{self.channel}:"))

    def _confirm(self, group: str) -> None:
        self._asked.discard(group)
        self._confirmed.add(group)
        if (waiting := self._waiting.pop(group, None)) is not None:
            waiting.set()
        if group in self._late:
            self._late.remove(group)
            if self.is_connected:  # otherwise all groups check soon anyway
                self._look_again([group])
