"""The channel layer between processes: delivery to all, and a resync after every gap."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

import pytest

from games.live.redis_layer import RESYNC, RedisLayer
from tests.support.services import Redis

MOVED = {"type": "game.moved", "seq": 42}


class Member:
    """One member of a group in one process, with everything it received."""

    def __init__(self, layer: RedisLayer, channel: str) -> None:
        self.layer, self.channel = layer, channel
        self.received: list[dict[str, Any]] = []

    async def receive(self) -> None:
        while True:
            self.received.append(await self.layer.receive(self.channel))

    async def receives(self, message: dict[str, Any]) -> None:
        deadline = monotonic() + 15
        while message not in self.received:
            assert monotonic() < deadline, f"received only {self.received}"
            await asyncio.sleep(0.02)


@asynccontextmanager
async def process(redis: Redis) -> AsyncIterator[tuple[RedisLayer, Member]]:
    layer = RedisLayer(url=redis.url, channel="tests")
    layer.open()
    channel = await layer.new_channel()
    await layer.group_add("game", channel)
    member = Member(layer, channel)
    receiving = asyncio.create_task(member.receive())
    await member.receives(RESYNC)  # the subscription is active
    try:
        yield layer, member
    finally:
        receiving.cancel()
        await layer.close()


def run(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scene())  # type: ignore[arg-type]


def test_a_message_reaches_every_process_exactly_once(redis: Redis) -> None:
    async def scene() -> None:
        async with process(redis) as (one, here), process(redis) as (_, there):
            await one.group_send("game", MOVED)
            await there.receives(MOVED)
            await asyncio.sleep(0.2)
            assert (here.received.count(MOVED), there.received.count(MOVED)) == (1, 1)

    run(scene)


def test_a_process_knows_whether_it_has_peers(redis: Redis) -> None:
    async def until(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(15):
            while not condition():
                await asyncio.sleep(0.02)

    async def scene() -> None:
        async with process(redis) as (one, _):
            assert not one.has_peers()
            async with process(redis) as (another, _):
                await until(lambda: one.has_peers() and another.has_peers())
                another.stopping = True
                await until(lambda: not one.has_peers())
                assert another.has_peers()
            async with process(redis):
                await until(one.has_peers)
            await until(lambda: not one.has_peers())  # it ended without a message

    run(scene)


def test_without_redis_local_delivery_works_at_once(redis: Redis) -> None:
    async def scene() -> None:
        async with process(redis) as (one, here), process(redis) as (_, there):
            redis.stop()
            await one.group_send("game", MOVED)
            await here.receives(MOVED)
            assert MOVED not in there.received

    run(scene)


@pytest.mark.parametrize("fault", ["stopped", "cut", "frozen"])
def test_every_process_resyncs_after_a_gap(redis: Redis, fault: str) -> None:
    async def scene() -> None:
        async with process(redis) as (one, here), process(redis) as (_, there):
            here.received.clear()
            there.received.clear()
            if fault == "stopped":
                redis.stop()
                await one.group_send("game", MOVED)
                redis.start()
            elif fault == "cut":
                redis.drop_connections()
            else:
                with redis.frozen():
                    await one.group_send("game", MOVED)
                    await asyncio.sleep(7)
            await here.receives(RESYNC)
            await there.receives(RESYNC)
            for _ in range(50):  # a message before it has reconnected becomes one more resync
                await one.group_send("game", MOVED)
                await asyncio.sleep(0.2)
                if MOVED in there.received:
                    break
            assert MOVED in there.received

    run(scene)


def test_a_process_without_sockets_can_publish(redis: Redis) -> None:
    async def scene() -> None:
        async with process(redis) as (_, there):
            command = RedisLayer(url=redis.url, channel="tests")
            await command.group_send("game", MOVED)
            await there.receives(MOVED)

    run(scene)


def test_closing_the_layer_flushes_its_outbox(redis: Redis) -> None:
    async def scene() -> None:
        async with process(redis) as (_, there):
            async with process(redis) as (ending, _):
                await ending.group_send("game", MOVED)
            await there.receives(MOVED)

    run(scene)
