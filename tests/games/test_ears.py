"""One subscription for all sockets of a process: begun by the first, ended by the last."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import pytest
from channels.layers import get_channel_layer

from games import ears
from tests.games.sockets import on_the_wire

GROUP = "group"


class Said:
    """What came to the listeners: who they were, and what was said."""

    def __init__(self, *, slow: float = 0) -> None:
        self.slow = slow
        self.heard: list[tuple[frozenset[str], dict[str, Any]]] = []

    async def hears(self, listeners: Collection[str], message: dict[str, Any]) -> None:
        self.heard.append((frozenset(listeners), message))
        await asyncio.sleep(self.slow)
        if message.get("fails"):
            raise OSError("nobody at home")


async def say(**message: Any) -> None:
    await get_channel_layer().group_send(GROUP, {"type": "news", **message})
    await asyncio.sleep(0.05)


def test_many_listeners_are_one_member_of_the_group() -> None:
    async def scene() -> None:
        said = Said()
        for name in ("ana", "ben", "cleo"):
            await ears.join(GROUP, name, said.hears)
        assert len(get_channel_layer().groups[GROUP]) == 1
        await say(number=1)
        assert said.heard == [(frozenset({"ana", "ben", "cleo"}), {"type": "news", "number": 1})]
        for name in ("ana", "ben", "cleo"):
            await ears.leave(GROUP, name)

    on_the_wire(scene)


def test_the_last_to_leave_ends_the_membership() -> None:
    async def scene() -> None:
        said = Said()
        await ears.join(GROUP, "ana", said.hears)
        await ears.join(GROUP, "ben", said.hears)
        await ears.leave(GROUP, "ana")
        await say(number=1)
        await ears.leave(GROUP, "ben")
        assert GROUP not in get_channel_layer().groups
        await say(number=2)
        assert [message["number"] for _, message in said.heard] == [1]
        await ears.join(GROUP, "ana", said.hears)
        await say(number=3)
        assert [message["number"] for _, message in said.heard] == [1, 3]
        await ears.leave(GROUP, "ana")

    on_the_wire(scene)


def test_what_is_said_while_they_look_is_heard_once_and_is_the_last() -> None:
    async def scene() -> None:
        said = Said(slow=0.3)
        await ears.join(GROUP, "ana", said.hears)
        for number in range(4):
            await say(number=number)
        await asyncio.sleep(0.5)
        assert [message["number"] for _, message in said.heard] == [0, 3]
        await ears.leave(GROUP, "ana")

    on_the_wire(scene)


def test_a_look_that_fails_does_not_make_them_deaf(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        said = Said()
        await ears.join(GROUP, "ana", said.hears)
        await say(fails=True)
        await say(number=2)
        assert len(said.heard) == 2
        await ears.leave(GROUP, "ana")

    on_the_wire(scene)
    assert "came to nobody" in caplog.text


def test_who_never_joined_may_leave() -> None:
    async def scene() -> None:
        await ears.leave(GROUP, "ana")

    on_the_wire(scene)
