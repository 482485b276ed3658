"""Channel layer for a site with several processes: local delivery, and Redis pub/sub to peers.

Why not channels-redis: it publishes under a lock without a time limit, so a move can wait for
Redis; it accepts no WebSocket while Redis is down; and a message that was published before a
subscription is restored is lost without notice. This layer delivers to the sockets of its own
process first, and queues the message for the other processes, so no move ever waits for Redis. A
message is only a version ("this game is at 42"), so a lost one does no harm if the sockets check
again: after each gap in the connection, every process makes all its sockets read the database.
A heartbeat detects connections that went silent without breaking.

Each group has its own Redis channel, which only the processes with sockets of the group receive
(`redis_subscriptions`). Heartbeats use one channel that is common to all processes. Processes of
version 0.9 send and receive only on the common channel: while one of them runs, each message to a
group is published there as well.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from time import monotonic
from typing import Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ReadOnlyError, ResponseError

from games import metrics
from games.live.memory_layer import LOOK_AGAIN, MemoryLayer
from games.live.outage_handling import first_line
from games.live.redis_subscriptions import RETRY_SECONDS, UNAVAILABLE, Subscriptions

# A connection that does not answer within this time is closed.
TIMEOUT_SECONDS: Final = 3.0
# How often a process publishes a heartbeat; it receives its own, too.
HEARTBEAT_SECONDS: Final = 1.0
# How long queued messages may take on shutdown.
FLUSH_SECONDS: Final = 1.0
# A peer whose last message is not older than this counts as running.
PEER_SECONDS: Final = 3.0
# A process of an older version may still have sockets for this long after its last message, even if
# it is stopping or hangs.
OLDER_PEER_SECONDS: Final = 60.0
# After a gap all sockets of a process read the database, but not at the same instant.
BETWEEN_GROUPS_SECONDS: Final = 0.002
# The message that makes a socket check for changes it may have missed.
RESYNC: Final = {"type": LOOK_AGAIN}

logger = logging.getLogger(__name__)


async def _refuse_replica(redis: Redis, key: str) -> None:
    """Raise ReadOnlyError if this is a replica, as the old primary is after a failover.

    A replica accepts PUBLISH, but subscribers of the primary do not receive the message. Other
    refusals to write, for example for lack of memory, do not matter, as messages are not stored.
    """
    try:
        await redis.set(key, "", px=1000)
    except ReadOnlyError:
        raise
    except ResponseError:
        return


class RedisLayer(MemoryLayer):
    """The in-memory layer of this process, connected to its peers by Redis pub/sub.

    `url` is the address of Redis. `channel` is the name of the common pub/sub channel and the
    prefix of the group channels. Other options are those of Channels' in-memory layer.
    """

    def __init__(self, *, url: str, channel: str, **options: object) -> None:
        super().__init__(**options)
        self.url, self.channel = url, channel
        self.id = secrets.token_hex(8)
        self.peers: dict[str, float] = {}  # time.monotonic of the last heartbeat of each
        self.outbox: asyncio.Queue[tuple[str, dict[str, object]]] = asyncio.Queue()
        self.tasks: list[asyncio.Task[None]] = []
        self._older_peers_until = 0.0  # in seconds of time.monotonic
        self._stale: dict[str, None] = {}  # groups to check for lost messages, in this order
        self._has_stale = asyncio.Event()
        self.subscriptions = self._new_subscriptions()

    def open(self) -> None:
        """Connect to the peers, in the running event loop; idempotent."""
        if not self._is_open():
            self.outbox, self._has_stale = asyncio.Queue(), asyncio.Event()
            self._older_peers_until = monotonic() + PEER_SECONDS  # all are heard by then
            self.subscriptions = self._new_subscriptions()
            loops = (self._publish, self.subscriptions.run, self._resync)
            self.tasks = [asyncio.create_task(self._run_forever(loop)) for loop in loops]

    async def group_add(self, group: str, channel: str) -> None:
        """Add a member, which receives everything published later (`Subscriptions.want`)."""
        await super().group_add(group, channel)
        if self._is_open():
            await self.subscriptions.want(group)

    async def group_discard(self, group: str, channel: str) -> None:
        """Remove a member; the subscription ends some time after the last one."""
        await super().group_discard(group, channel)
        if group not in self.groups:
            self.subscriptions.unneed(group)

    async def group_send(self, group: str, message: dict[str, object]) -> None:
        """Deliver a message to the group's local sockets, and queue it for the peers."""
        await super().group_send(group, message)
        if self._is_open():
            self.outbox.put_nowait((group, message))
        else:
            await self._publish_once(group, message)

    def peer_ids(self) -> frozenset[str]:
        """Return the ids of the other running processes that have not announced their shutdown.

        Safe to call on any thread.
        """
        now = monotonic()
        return frozenset(
            each for each, last in list(self.peers.items()) if now - last < PEER_SECONDS
        )

    def has_peers(self) -> bool:
        """Whether another process runs (`peer_ids`)."""
        return bool(self.peer_ids())

    async def close(self) -> None:
        """Publish queued messages, for at most `FLUSH_SECONDS`, and disconnect."""
        if self._is_open():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.outbox.join(), FLUSH_SECONDS)
            for task in self.tasks:
                task.cancel()
            await asyncio.wait(self.tasks, timeout=1)
        self.tasks = []
        await super().close()

    def _is_open(self) -> bool:
        return any(task.get_loop() is asyncio.get_running_loop() for task in self.tasks)

    async def _run_forever(self, loop: Callable[[], Awaitable[None]]) -> None:
        """Run a loop, restarting it after an unexpected error."""
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
            retry=Retry(NoBackoff(), 0),  # the loops retry themselves, to detect gaps
        )

    # --- sending ---------------------------------------------------------------------------------

    def _heartbeat(self, *, resync: bool = False) -> str:
        # Processes of older versions read the first three of these keys during a rolling upgrade.
        words = {"from": self.id, "again": resync, "ends": self.stopping, "groups": True}
        return json.dumps(words)

    def _envelopes(
        self, group: str, message: dict[str, object], *, for_older: bool
    ) -> list[tuple[str, str]]:
        """Return the Redis channels on which to publish a message, each with its text."""
        envelope = {"from": self.id, "group": group, "message": message}
        found = [(self.subscriptions.group_channel(group), json.dumps(envelope))]
        if for_older:
            found.append((self.channel, json.dumps(envelope | {"groups": True})))
        return found

    async def _publish_once(self, group: str, message: dict[str, object]) -> None:
        """Publish a message over a temporary connection, for processes without sockets.

        Such a process, for example a management command, does not know whether an older process
        runs, so it also publishes for that.
        """
        try:
            async with self._redis() as redis:
                for channel, envelope in self._envelopes(group, message, for_older=True):
                    await redis.publish(channel, envelope)
        except UNAVAILABLE as error:
            logger.warning(
                "channel layer publish failed: Redis unavailable error=%s", first_line(error)
            )

    def _may_have_older_peers(self) -> bool:
        """Whether a process of an older version was heard lately, or cannot be ruled out yet."""
        return not self.subscriptions.is_connected or monotonic() < self._older_peers_until

    async def _publish(self) -> None:
        """Publish the outbox and heartbeats; after a gap, ask for a resync."""
        gap, beats_at = False, 0.0  # the first heartbeat at once, so that peers know of us
        redis = self._redis()
        try:
            while True:
                batch = []
                with suppress(TimeoutError):
                    timeout = RETRY_SECONDS if gap else beats_at - monotonic()
                    batch.append(await asyncio.wait_for(self.outbox.get(), timeout))
                while not self.outbox.empty():
                    batch.append(self.outbox.get_nowait())
                try:
                    beats = gap or monotonic() >= beats_at
                    if beats:
                        await _refuse_replica(redis, f"{self.channel}:beat")
                    async with redis.pipeline(transaction=False) as pipeline:
                        # A resync replaces all messages of a gap.
                        for group, message in () if gap else batch:
                            older = self._may_have_older_peers()
                            for envelope in self._envelopes(group, message, for_older=older):
                                pipeline.publish(*envelope)
                        if beats:
                            pipeline.publish(self.channel, self._heartbeat(resync=gap))
                            beats_at = monotonic() + HEARTBEAT_SECONDS
                        await pipeline.execute()
                    gap = False
                except UNAVAILABLE as error:
                    await redis.connection_pool.disconnect()
                    if not gap:
                        logger.warning(
                            "channel layer publish failed: Redis unavailable error=%s",
                            first_line(error),
                        )
                    gap = True
                    await asyncio.sleep(RETRY_SECONDS)
                finally:
                    for _ in batch:
                        self.outbox.task_done()
        finally:
            await redis.aclose()

    # --- receiving -------------------------------------------------------------------------------

    def _new_subscriptions(self) -> Subscriptions:
        return Subscriptions(
            self._redis, self.channel, deliver=self._deliver, look_again=self._look_again
        )

    async def _deliver(self, data: bytes, is_common: bool) -> None:
        metrics.layer_messages.labels("common" if is_common else "group").inc()
        envelope = json.loads(data)
        sender = envelope["from"]
        if sender == self.id:
            return
        if is_common:
            is_older = "groups" not in envelope
            if is_older:
                self._older_peers_until = monotonic() + OLDER_PEER_SECONDS
            if envelope.get("ends"):
                self.peers.pop(sender, None)
            elif is_older or "again" in envelope:  # a heartbeat, which commands do not send
                self.peers[sender] = monotonic()
            if envelope.get("again"):
                self._look_again(None)
            if not is_older:
                return  # its messages also come over the group's channel
        if "group" in envelope:
            await super().group_send(envelope["group"], envelope["message"])

    def _look_again(self, groups: Collection[str] | None) -> None:
        """Make these groups, or all, check for lost messages, one group after the other."""
        if groups is None:  # after a gap, in which an older process may have started
            groups = list(self.groups)
            until = monotonic() + PEER_SECONDS
            self._older_peers_until = max(self._older_peers_until, until)
        self._stale |= dict.fromkeys(groups)
        self._has_stale.set()

    async def _resync(self) -> None:
        while await self._has_stale.wait():
            while self._stale:
                group = next(iter(self._stale))
                del self._stale[group]
                await super().group_send(group, RESYNC)
                await asyncio.sleep(BETWEEN_GROUPS_SECONDS)
            self._has_stale.clear()
