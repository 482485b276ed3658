"""One group subscription per process: the first subscriber starts it, the last one ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import pytest
from channels.layers import get_channel_layer

from games.live import fanout
from tests.support.consumer_socket import run_async

GROUP = "group"


class Handler:
    """Records each message with the subscribers it was handled for; takes `slow` seconds."""

    def __init__(self, *, slow: float = 0) -> None:
        self.slow = slow
        self.handled: list[tuple[frozenset[str], dict[str, Any]]] = []
        self.table: fanout.Handlers = {"news": self.handle}

    async def handle(self, subscribers: Collection[str], message: dict[str, Any]) -> None:
        self.handled.append((frozenset(subscribers), message))
        await asyncio.sleep(self.slow)
        if message.get("fails"):
            raise OSError("no database")


async def publish(kind: str = "news", **message: Any) -> None:
    await get_channel_layer().group_send(GROUP, {"type": kind, **message})
    await asyncio.sleep(0.05)


def test_many_subscribers_share_one_group_membership() -> None:
    async def scene() -> None:
        handler = Handler()
        for name in ("ana", "ben", "cleo"):
            await fanout.join(GROUP, name, handler.table)
        assert len(get_channel_layer().groups[GROUP]) == 1
        await publish(number=1)
        assert handler.handled == [
            (frozenset({"ana", "ben", "cleo"}), {"type": "news", "number": 1})
        ]
        for name in ("ana", "ben", "cleo"):
            await fanout.leave(GROUP, name)

    run_async(scene)


def test_the_last_subscriber_to_leave_ends_the_membership() -> None:
    async def scene() -> None:
        handler = Handler()
        await fanout.join(GROUP, "ana", handler.table)
        await fanout.join(GROUP, "ben", handler.table)
        await fanout.leave(GROUP, "ana")
        await publish(number=1)
        await fanout.leave(GROUP, "ben")
        assert GROUP not in get_channel_layer().groups
        await publish(number=2)
        assert [message["number"] for _, message in handler.handled] == [1]
        await fanout.join(GROUP, "ana", handler.table)
        await publish(number=3)
        assert [message["number"] for _, message in handler.handled] == [1, 3]
        await fanout.leave(GROUP, "ana")

    run_async(scene)


def test_messages_that_arrive_during_a_slow_handler_are_coalesced() -> None:
    async def scene() -> None:
        handler = Handler(slow=0.3)
        await fanout.join(GROUP, "ana", handler.table)
        for number in range(4):
            await publish(number=number)
        await asyncio.sleep(0.5)
        assert [message["number"] for _, message in handler.handled] == [0, 3]
        await fanout.leave(GROUP, "ana")

    run_async(scene)


def test_a_failed_handler_does_not_end_the_subscription(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        handler = Handler()
        await fanout.join(GROUP, "ana", handler.table)
        await publish(fails=True)
        await publish(number=2)
        assert len(handler.handled) == 2
        await fanout.leave(GROUP, "ana")

    run_async(scene)
    assert "delivering a message to local sockets failed group=group" in caplog.text


def test_leaving_without_joining_does_nothing() -> None:
    async def scene() -> None:
        await fanout.leave(GROUP, "ana")

    run_async(scene)


def test_while_delivery_is_paused_only_the_last_message_of_each_type_is_kept() -> None:
    async def scene() -> None:
        handler = Handler(slow=0.1)
        await fanout.join(GROUP, "ana", handler.table)
        assert fanout.is_idle()
        fanout.pause()
        try:
            await publish(number=1)
            await publish(number=2)
            assert handler.handled == []
            assert not fanout.is_idle()
        finally:
            fanout.resume()
        await asyncio.sleep(0.05)
        assert [message["number"] for _, message in handler.handled] == [2]
        assert not fanout.is_idle(), "the handler is still at work"
        await asyncio.sleep(0.1)
        assert fanout.is_idle()
        await fanout.leave(GROUP, "ana")

    run_async(scene)


def test_each_subscriber_has_its_own_handlers_by_type_of_message() -> None:
    """Neither of two kinds of subscribers loses a message to the other, nor gets one of it."""

    async def scene() -> None:
        tables, people, both = Handler(), Handler(), Handler()
        await fanout.join(GROUP, "ana", {"news": tables.handle, "told": both.handle})
        await fanout.join(GROUP, "ben", {"news": people.handle, "told": both.handle})
        await fanout.join(GROUP, "cleo", {"told": both.handle})
        await publish(number=1)
        await publish("told", number=2)
        await publish("unknown", number=3)
        assert [subscribers for subscribers, _ in tables.handled] == [frozenset({"ana"})]
        assert [subscribers for subscribers, _ in people.handled] == [frozenset({"ben"})]
        assert both.handled == [(frozenset({"ana", "ben", "cleo"}), {"type": "told", "number": 2})]
        for name in ("ana", "ben", "cleo"):
            await fanout.leave(GROUP, name)

    run_async(scene)


def test_the_handler_of_one_kind_fails_and_the_others_are_called() -> None:
    async def scene() -> None:
        before, after = Handler(), Handler()

        async def fail(subscribers: Collection[str], message: dict[str, Any]) -> None:
            raise OSError("no database")

        await fanout.join(GROUP, "ana", before.table)
        await fanout.join(GROUP, "ben", {"news": fail})
        await fanout.join(GROUP, "cleo", after.table)
        await publish(number=1)
        assert len(before.handled) == len(after.handled) == 1
        for name in ("ana", "ben", "cleo"):
            await fanout.leave(GROUP, name)

    run_async(scene)


def test_joining_again_with_other_handlers_is_an_error() -> None:
    async def scene() -> None:
        first, second = Handler(), Handler()
        await fanout.join(GROUP, "ana", first.table)
        await fanout.join(GROUP, "ana", first.table)
        with pytest.raises(ValueError, match="with other handlers"):
            await fanout.join(GROUP, "ana", second.table)
        await publish(number=1)
        assert len(first.handled) == 1
        await fanout.leave(GROUP, "ana")

    run_async(scene)
