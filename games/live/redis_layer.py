"""The channel layer of a site with several processes: local delivery, and Redis pub/sub to peers.

Why not channels-redis: it publishes under a lock without a time limit, so a move can wait for
Redis; it accepts no WebSocket while Redis is down; and a message that was published before a
subscription is back is lost without notice. This layer delivers to the sockets of its own process
first, and queues the message for the other processes, so no move ever waits for Redis. A message
is only a number ("this game stands at 42"), so a lost one does no harm if everybody checks again:
after each gap in the connection, every process makes all its sockets read the database again.
A connection that went silent without breaking is found by a heartbeat. The price is that each
process receives the messages of all groups, which is cheap as long as a message is one number.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.live.memory_layer import LOOK_AGAIN, MemoryLayer
from games.live.outage_handling import first_line

# A connection that does not answer within this time is given up.
TIMEOUT_SECONDS: Final = 3.0
# How often a process publishes at least; it receives its own heartbeats too.
HEARTBEAT_SECONDS: Final = 1.0
# A connection that received nothing for this long is broken.
SILENCE_SECONDS: Final = 6.0
# On shutdown, how long queued messages may take.
FLUSH_SECONDS: Final = 1.0
# A peer whose last message is not older than this counts as running.
PEER_SECONDS: Final = 3.0
RETRY_SECONDS: Final = 0.3
# After a gap all sockets of a process read the database, but not at the same instant.
BETWEEN_GROUPS_SECONDS: Final = 0.002
# The message that makes a socket check for changes it may have missed.
RESYNC: Final = {"type": LOOK_AGAIN}

_UNAVAILABLE = (RedisError, OSError, TimeoutError)
logger = logging.getLogger(__name__)


class RedisLayer(MemoryLayer):
    """The in-memory layer of this process, joined to its peers by one Redis pub/sub channel.

    `url` is the address of the Redis, `channel` the name of the pub/sub channel; other options are
    those of Channels' in-memory layer.
    """

    def __init__(self, *, url: str, channel: str, **options: Any) -> None:
        super().__init__(**options)
        self.url, self.channel = url, channel
        self.id = secrets.token_hex(8)
        self.peers: dict[str, float] = {}  # time.monotonic of the last message of each
        self.outbox: asyncio.Queue[str] = asyncio.Queue()
        self.tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Connect to the peers in the running event loop; idempotent."""
        if not self._is_open():
            self.outbox = asyncio.Queue()
            self.outbox.put_nowait(self._heartbeat())  # at once: peers know that we are here
            loops = (self._publish, self._subscribe)
            self.tasks = [asyncio.create_task(self._run_forever(loop)) for loop in loops]

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Deliver a message to the group's sockets here, and queue it for the peers."""
        await super().group_send(group, message)
        envelope = json.dumps({"from": self.id, "group": group, "message": message})
        if self._is_open():
            self.outbox.put_nowait(envelope)
        else:
            await self._publish_once(envelope)

    def has_peers(self) -> bool:
        """Whether another process sent something recently, and not that it is stopping.

        May be asked on any thread.
        """
        return any(monotonic() - last < PEER_SECONDS for last in list(self.peers.values()))

    async def close(self) -> None:
        """Publish what is queued, for `FLUSH_SECONDS` at most, and disconnect."""
        if self._is_open():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.outbox.join(), FLUSH_SECONDS)
            for task in self.tasks:
                task.cancel()
            await asyncio.wait(self.tasks, timeout=1)
        self.tasks = []
        await super().close()

    # --- the connection to Redis -----------------------------------------------------------------

    def _is_open(self) -> bool:
        return any(task.get_loop() is asyncio.get_running_loop() for task in self.tasks)

    async def _run_forever(self, loop: Callable[[], Awaitable[None]]) -> None:
        """Run a loop, and start it again after an unexpected error."""
        while True:
            try:
                await loop()
            except Exception:
                logger.exception("channel layer loop failed")
                await asyncio.sleep(HEARTBEAT_SECONDS)

    def _redis(self) -> Redis:
        return Redis.from_url(
            self.url,
            socket_connect_timeout=TIMEOUT_SECONDS,
            socket_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),  # the loops below retry, and know that there was a gap
        )

    async def _publish_once(self, envelope: str) -> None:
        """Publish from a process without sockets, such as a command, which keeps no connection."""
        try:
            async with self._redis() as redis:
                await redis.publish(self.channel, envelope)
        except _UNAVAILABLE as error:
            logger.warning(
                "channel layer publish failed: Redis unavailable error=%s", first_line(error)
            )

    def _heartbeat(self, *, resync: bool = False) -> str:
        # Processes of older versions read these keys during a rolling upgrade.
        return json.dumps({"from": self.id, "again": resync, "ends": self.stopping})

    async def _publish(self) -> None:
        """Publish the outbox, and a heartbeat when it is empty; after a gap, ask for a resync."""
        gap = False
        redis = self._redis()
        try:
            while True:
                batch = []
                with suppress(TimeoutError):
                    timeout = RETRY_SECONDS if gap else HEARTBEAT_SECONDS
                    batch.append(await asyncio.wait_for(self.outbox.get(), timeout))
                while not self.outbox.empty():
                    batch.append(self.outbox.get_nowait())
                taken = len(batch)
                if gap or not batch:  # a resync makes up for all messages of the gap
                    batch = [self._heartbeat(resync=gap)]
                try:
                    async with redis.pipeline(transaction=False) as pipeline:
                        for envelope in batch:
                            pipeline.publish(self.channel, envelope)
                        await pipeline.execute()
                    gap = False
                except _UNAVAILABLE as error:
                    if not gap:
                        logger.warning(
                            "channel layer publish failed: Redis unavailable error=%s",
                            first_line(error),
                        )
                    gap = True
                    await asyncio.sleep(RETRY_SECONDS)
                finally:
                    for _ in range(taken):
                        self.outbox.task_done()
        finally:
            await redis.aclose()

    async def _subscribe(self) -> None:
        """Receive from the peers; after each (re)connect, let all sockets here resync."""
        gap = False
        while True:
            redis = self._redis()
            try:
                async with redis.pubsub() as subscription:
                    await subscription.subscribe(self.channel)
                    while event := await subscription.get_message(timeout=SILENCE_SECONDS):
                        if event["type"] == "subscribe":
                            gap = False
                            await self._resync()
                        elif event["type"] == "message":
                            await self._deliver(json.loads(event["data"]))
                raise TimeoutError("nothing received")
            except _UNAVAILABLE as error:
                if not gap:
                    logger.warning(
                        "channel layer subscription lost: Redis unavailable error=%s",
                        first_line(error),
                    )
                gap = True
            finally:
                with suppress(*_UNAVAILABLE):
                    await redis.aclose()
            await asyncio.sleep(RETRY_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311

    async def _deliver(self, envelope: dict[str, Any]) -> None:
        if envelope["from"] == self.id:
            return
        if envelope.get("ends"):
            self.peers.pop(envelope["from"], None)
        else:
            self.peers[envelope["from"]] = monotonic()
        if envelope.get("again"):
            await self._resync()
        elif "group" in envelope:
            await super().group_send(envelope["group"], envelope["message"])

    async def _resync(self) -> None:
        for group in list(self.groups):
            await super().group_send(group, RESYNC)
            await asyncio.sleep(BETWEEN_GROUPS_SECONDS)
