"""The line between processes: what one says others hear, and a gap in it makes everybody look."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from perudo_site.counters import SharedCounters
from perudo_site.relay import LOOK_AGAIN, RelayedLayer
from tests.conftest import unavailable
from tests.faults.services import Redis

MOVED = {"type": "game.moved", "seq": 42}


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    try:
        server = Redis(tmp_path / "redis")
    except LookupError as missing:
        unavailable(f"There is no Redis to stop: {missing}")
    server.start()
    yield server
    server.end()


class Ears:
    """One member of a group in one process, and all it heard."""

    def __init__(self, layer: RelayedLayer, channel: str) -> None:
        self.layer, self.channel = layer, channel
        self.heard: list[dict[str, Any]] = []

    async def listen(self) -> None:
        while True:
            self.heard.append(await self.layer.receive(self.channel))

    async def hears(self, message: dict[str, Any], *, patience: float = 15) -> None:
        deadline = monotonic() + patience
        while message not in self.heard:
            assert monotonic() < deadline, f"heard only {self.heard}"
            await asyncio.sleep(0.02)


@asynccontextmanager
async def process(redis: Redis) -> AsyncIterator[tuple[RelayedLayer, Ears]]:
    layer = RelayedLayer(url=redis.url)
    layer.open()
    channel = await layer.new_channel()
    await layer.group_add("game", channel)
    ears = Ears(layer, channel)
    listening = asyncio.create_task(ears.listen())
    await ears.hears(LOOK_AGAIN)  # the line is open
    try:
        yield layer, ears
    finally:
        listening.cancel()
        await layer.close()


def played(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scene())  # type: ignore[arg-type]


def test_what_one_process_says_all_hear_and_each_once(redis: Redis) -> None:
    async def scene() -> None:
        async with process(redis) as (one, here), process(redis) as (_, there):
            await one.group_send("game", MOVED)
            await there.hears(MOVED)
            await asyncio.sleep(0.2)
            assert (here.heard.count(MOVED), there.heard.count(MOVED)) == (1, 1)

    played(scene)


def test_a_process_knows_whether_others_go_on_when_it_ends(redis: Redis) -> None:
    async def until(true: Callable[[], bool]) -> None:
        async with asyncio.timeout(15):
            while not true():
                await asyncio.sleep(0.02)

    async def scene() -> None:
        async with process(redis) as (one, _):
            assert not one.has_company()
            async with process(redis) as (another, _):
                await until(lambda: one.has_company() and another.has_company())
                another.ends = True
                await until(lambda: not one.has_company())
                assert another.has_company()
            async with process(redis):
                await until(one.has_company)
            await until(lambda: not one.has_company())  # gone without a word

    played(scene)


def test_without_redis_the_own_sockets_hear_at_once_and_nobody_waits(redis: Redis) -> None:
    async def scene() -> None:
        async with process(redis) as (one, here), process(redis) as (_, there):
            redis.stop()
            await one.group_send("game", MOVED)
            await here.hears(MOVED)
            assert MOVED not in there.heard

    played(scene)


@pytest.mark.parametrize("fault", ["stopped", "cut", "frozen"])
def test_after_a_gap_in_the_line_everybody_looks_again(redis: Redis, fault: str) -> None:
    async def scene() -> None:
        async with process(redis) as (one, here), process(redis) as (_, there):
            here.heard.clear()
            there.heard.clear()
            if fault == "stopped":
                redis.stop()
                await one.group_send("game", MOVED)
                redis.start()
            elif fault == "cut":
                redis.cut()
            else:
                with redis.frozen():
                    await one.group_send("game", MOVED)
                    await asyncio.sleep(7)
            await here.hears(LOOK_AGAIN)
            await there.hears(LOOK_AGAIN)
            for _ in range(50):  # what is said before it has noticed is one more look for all
                await one.group_send("game", MOVED)
                await asyncio.sleep(0.2)
                if MOVED in there.heard:
                    break
            assert MOVED in there.heard

    played(scene)


def test_a_process_without_sockets_is_heard_too(redis: Redis) -> None:
    async def scene() -> None:
        async with process(redis) as (_, there):
            command = RelayedLayer(url=redis.url)
            await command.group_send("game", MOVED)
            await there.hears(MOVED)

    played(scene)


def test_what_was_said_last_is_heard_though_its_process_ends(redis: Redis) -> None:
    async def scene() -> None:
        async with process(redis) as (_, there):
            async with process(redis) as (ending, _ears):
                await ending.group_send("game", MOVED)
            await there.hears(MOVED)

    played(scene)


# --- the counters of the rate limits -------------------------------------------------------------


def test_without_redis_a_process_counts_by_itself(
    redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    counters = SharedCounters(redis.url, {})
    assert counters.add("lock", True, timeout=5)
    assert not counters.add("lock", True, timeout=5)
    redis.stop()
    assert counters.add("lock", True, timeout=5)
    assert not counters.add("lock", True, timeout=5)
    counters.set("history", [1, 2], 60)
    assert counters.get("history") == [1, 2]
    assert len(caplog.records) == 1  # once a second, not once a visitor
    assert "Redis is away" in caplog.text
