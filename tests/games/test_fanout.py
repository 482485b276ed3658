"""One group subscription per process: the first subscriber starts it, the last one ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import pytest
from channels.layers import get_channel_layer

from games.live import fanout
from tests.games.sockets import on_the_wire

GROUP = "group"


class Handler:
    """Records each message with the subscribers it was handled for; takes `slow` seconds."""

    def __init__(self, *, slow: float = 0) -> None:
        self.slow = slow
        self.handled: list[tuple[frozenset[str], dict[str, Any]]] = []

    async def handle(self, subscribers: Collection[str], message: dict[str, Any]) -> None:
        self.handled.append((frozenset(subscribers), message))
        await asyncio.sleep(self.slow)
        if message.get("fails"):
            raise OSError("no database")


async def publish(**message: Any) -> None:
    await get_channel_layer().group_send(GROUP, {"type": "news", **message})
    await asyncio.sleep(0.05)


def test_many_subscribers_share_one_group_membership() -> None:
    async def scene() -> None:
        handler = Handler()
        for name in ("ana", "ben", "cleo"):
            await fanout.join(GROUP, name, handler.handle)
        assert len(get_channel_layer().groups[GROUP]) == 1
        await publish(number=1)
        assert handler.handled == [
            (frozenset({"ana", "ben", "cleo"}), {"type": "news", "number": 1})
        ]
        for name in ("ana", "ben", "cleo"):
            await fanout.leave(GROUP, name)

    on_the_wire(scene)


def test_the_last_subscriber_to_leave_ends_the_membership() -> None:
    async def scene() -> None:
        handler = Handler()
        await fanout.join(GROUP, "ana", handler.handle)
        await fanout.join(GROUP, "ben", handler.handle)
        await fanout.leave(GROUP, "ana")
        await publish(number=1)
        await fanout.leave(GROUP, "ben")
        assert GROUP not in get_channel_layer().groups
        await publish(number=2)
        assert [message["number"] for _, message in handler.handled] == [1]
        await fanout.join(GROUP, "ana", handler.handle)
        await publish(number=3)
        assert [message["number"] for _, message in handler.handled] == [1, 3]
        await fanout.leave(GROUP, "ana")

    on_the_wire(scene)


def test_messages_that_arrive_during_a_slow_handler_are_coalesced() -> None:
    async def scene() -> None:
        handler = Handler(slow=0.3)
        await fanout.join(GROUP, "ana", handler.handle)
        for number in range(4):
            await publish(number=number)
        await asyncio.sleep(0.5)
        assert [message["number"] for _, message in handler.handled] == [0, 3]
        await fanout.leave(GROUP, "ana")

    on_the_wire(scene)


def test_a_failed_handler_does_not_end_the_subscription(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        handler = Handler()
        await fanout.join(GROUP, "ana", handler.handle)
        await publish(fails=True)
        await publish(number=2)
        assert len(handler.handled) == 2
        await fanout.leave(GROUP, "ana")

    on_the_wire(scene)
    assert "delivering a message to local sockets failed group=group" in caplog.text


def test_leaving_without_joining_does_nothing() -> None:
    async def scene() -> None:
        await fanout.leave(GROUP, "ana")

    on_the_wire(scene)


def test_while_delivery_is_paused_only_the_last_message_of_each_type_is_kept() -> None:
    async def scene() -> None:
        handler = Handler(slow=0.1)
        await fanout.join(GROUP, "ana", handler.handle)
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

    on_the_wire(scene)
