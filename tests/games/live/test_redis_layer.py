"""The channel layer between processes: delivery to all, and a resync after every gap."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic
from typing import Any

import pytest
import redis as redis_client

from games import metrics
from games.live import redis_layer, redis_subscriptions
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
        await until(lambda: message in self.received, lambda: f"received {self.received}")


async def until(condition: Callable[[], bool], what: Callable[[], str] = str) -> None:
    deadline = monotonic() + 15
    while not condition():
        assert monotonic() < deadline, what()
        await asyncio.sleep(0.02)


@asynccontextmanager
async def joined(layer: RedisLayer, group: str) -> AsyncIterator[Member]:
    """A member of a group, which leaves it at the end."""
    member = Member(layer, await layer.new_channel())
    await layer.group_add(group, member.channel)
    receiving = asyncio.create_task(member.receive())
    try:
        yield member
    finally:
        receiving.cancel()
        await layer.group_discard(group, member.channel)


@asynccontextmanager
async def process(redis: Redis) -> AsyncIterator[tuple[RedisLayer, Member]]:
    layer = RedisLayer(url=redis.url, channel="tests")
    layer.open()
    async with joined(layer, "game") as member:
        await member.receives(RESYNC)  # the subscription is active
        try:
            yield layer, member
        finally:
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


@pytest.mark.parametrize("fault", ["stopped", "cut", "frozen", "demoted"])
def test_every_process_resyncs_after_a_gap(
    redis: Redis, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
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
            elif fault == "demoted":  # and a process that is connected elsewhere would hear nothing
                with redis.replicating():
                    await until(lambda: "can't write against a read only replica" in caplog.text)
                    await one.group_send("game", MOVED)
                    await asyncio.sleep(1)
                    assert MOVED not in there.received
            else:
                with redis.frozen():
                    await one.group_send("game", MOVED)
                    for number in range(14):  # what is joined meanwhile does not hide the silence
                        await asyncio.sleep(0.5)
                        await one.group_add(f"game{number}", here.channel)
                    assert not one.subscriptions.is_connected
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


# --- the channels of the groups ------------------------------------------------------------------


@pytest.fixture
def client(redis: Redis) -> Iterator[redis_client.Redis]:
    """A client of the same Redis: what it sends comes from no process of this version."""
    with redis_client.Redis.from_url(redis.url) as found:
        yield found


def calls(client: redis_client.Redis, command: str) -> int:
    """How often Redis was given this command."""
    return int(client.info("commandstats").get(f"cmdstat_{command}", {}).get("calls", 0))


def subscribers(client: redis_client.Redis, group: str) -> int:
    [(_, number)] = client.pubsub_numsub(f"tests:{group}")
    return int(number)


def test_a_process_receives_the_messages_of_its_groups_only(
    redis: Redis, client: redis_client.Redis
) -> None:
    received = metrics.layer_messages.labels("group")._value

    async def scene() -> None:
        async with process(redis) as (_, member):
            before = received.get()
            envelope = {"from": "another", "group": "game", "message": MOVED}
            for group in ("other", "other", "game"):
                client.publish(f"tests:{group}", json.dumps(envelope | {"group": group}))
            await member.receives(MOVED)
            assert received.get() - before == 1

    run(scene)


def test_many_groups_are_joined_and_left_with_few_commands(
    redis: Redis, client: redis_client.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_subscriptions, "KEPT_SECONDS", 0.0)
    groups = [f"game{number}" for number in range(200)]

    async def scene() -> None:
        async with process(redis) as (layer, member):
            before = calls(client, "subscribe")
            await asyncio.gather(*(layer.group_add(each, member.channel) for each in groups))
            assert [subscribers(client, each) for each in groups] == [1] * 200
            assert calls(client, "subscribe") - before <= 3
            for each in groups:
                await layer.group_discard(each, member.channel)
            await until(lambda: not any(subscribers(client, each) for each in groups))
            assert calls(client, "unsubscribe") <= 2
            assert subscribers(client, "game") == 1

    run(scene)


def test_a_group_that_is_left_and_joined_in_quick_succession_stays_subscribed(
    redis: Redis, client: redis_client.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_subscriptions, "KEPT_SECONDS", 0.0)
    monkeypatch.setattr(redis_subscriptions, "UNSUBSCRIBE_EVERY_SECONDS", 0.0)

    async def scene() -> None:
        async with process(redis) as (one, _), process(redis) as (two, _):
            for seq in range(60):
                async with joined(one, "brief") as member:
                    moved = MOVED | {"seq": seq}
                    await two.group_send("brief", moved)
                    await member.receives(moved)
                    assert RESYNC not in member.received
                await two.group_send("game", MOVED)  # with the next message it is unsubscribed
                await asyncio.sleep(0.0005 * (seq % 8))  # before that, after it, or meanwhile
            await until(lambda: subscribers(client, "brief") == 0)

    run(scene)


def test_a_group_that_is_left_is_kept_for_the_next_page(
    redis: Redis, client: redis_client.Redis
) -> None:
    async def scene() -> None:
        async with process(redis) as (layer, _):
            for _ in range(3):
                async with joined(layer, "page"):
                    assert subscribers(client, "page") == 1
            assert calls(client, "unsubscribe") == 0

    run(scene)


def test_a_group_joined_while_redis_stands_still_looks_again_afterwards(
    redis: Redis, client: redis_client.Redis
) -> None:
    """A message may be published after its first render, and before its subscription."""

    async def scene() -> None:
        async with process(redis) as (layer, present), joined(layer, "prompt") as prompt:
            present.received.clear()
            async with AsyncExitStack() as stack:
                with redis.frozen():
                    began = monotonic()
                    late = [
                        await stack.enter_async_context(joined(layer, f"late{number}"))
                        for number in range(5)
                    ]
                    took = monotonic() - began
                    await asyncio.sleep(0.1)
                    assert all(each.received == [] for each in late)
                assert took < redis_subscriptions.CONFIRMATION_SECONDS * 2, "only one has waited"
                for each in late:
                    await each.receives(RESYNC)
            async with joined(layer, "later") as member:  # Redis answers again, and it waits
                assert subscribers(client, "later") == 1
                await asyncio.sleep(0.1)
                assert member.received == [] == prompt.received == present.received

    run(scene)


def test_no_join_waits_while_redis_is_away(redis: Redis) -> None:
    async def scene() -> None:
        async with process(redis) as (layer, member):
            redis.stop()
            await until(lambda: not layer.subscriptions.is_connected)
            began = monotonic()
            for number in range(50):
                await layer.group_add(f"game{number}", member.channel)
            assert monotonic() - began < redis_subscriptions.CONFIRMATION_SECONDS
            redis.start()
            await until(lambda: layer.subscriptions._confirmed >= {"game", "game0", "game49"})

    run(scene)


# --- a rolling upgrade: a process of version 0.9 -------------------------------------------------


class OlderProcess:
    """Publishes on the common channel, and receives nothing but that."""

    def __init__(self, client: redis_client.Redis) -> None:
        self.client = client
        self.pubsub = client.pubsub()
        self.pubsub.subscribe("tests")
        assert self.pubsub.get_message(timeout=5) is not None  # the subscription is active
        self.publish({"again": False, "ends": False})

    def publish(self, words: dict[str, Any]) -> None:
        self.client.publish("tests", json.dumps({"from": "0123456789abcdef"} | words))

    async def received(self) -> list[dict[str, Any]]:
        """The messages of others to groups since the last call."""
        found = []
        await asyncio.sleep(0.2)
        while (event := self.pubsub.get_message(timeout=0)) is not None:
            found.append(json.loads(event["data"]))
        others = [each for each in found if each["from"] != "0123456789abcdef"]
        return [each["message"] for each in others if "group" in each]


def test_a_process_of_an_older_version_receives_and_is_received(
    redis: Redis, client: redis_client.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_layer, "OLDER_PEER_SECONDS", 1.5)
    monkeypatch.setattr(redis_layer, "PEER_SECONDS", 0.5)

    async def scene() -> None:
        async with process(redis) as (one, here), process(redis) as (_, there):
            await asyncio.sleep(1)  # each may have had an older peer until now
            older = OlderProcess(client)
            await until(lambda: "0123456789abcdef" in one.peer_ids())
            await one.group_send("game", MOVED)
            await there.receives(MOVED)
            assert await older.received() == [MOVED]
            reply = MOVED | {"seq": 43}
            older.publish({"group": "game", "message": reply})
            await here.receives(reply)
            await there.receives(reply)
            here.received.clear()
            older.publish({"again": True, "ends": True})
            await here.receives(RESYNC)
            assert "0123456789abcdef" not in one.peer_ids()
            last = MOVED | {"seq": 44}
            await one.group_send("game", last)  # its sockets are closed one by one
            assert await older.received() == [last]
            await there.receives(last)
            await asyncio.sleep(1.5)
            await one.group_send("game", MOVED | {"seq": 45})
            await there.receives(MOVED | {"seq": 45})
            assert await older.received() == []
            for message in (MOVED, reply, last):
                assert there.received.count(message) == 1

    run(scene)


def test_a_command_is_received_by_older_processes_and_is_no_peer(
    redis: Redis, client: redis_client.Redis
) -> None:
    async def scene() -> None:
        async with process(redis) as (layer, there):
            older = OlderProcess(client)
            await until(lambda: len(layer.peer_ids()) == 1)
            await RedisLayer(url=redis.url, channel="tests").group_send("game", MOVED)
            await there.receives(MOVED)
            assert await older.received() == [MOVED]
            await asyncio.sleep(0.2)
            assert there.received.count(MOVED) == 1
            assert layer.peer_ids() == {"0123456789abcdef"}

    run(scene)
