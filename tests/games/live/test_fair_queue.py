"""Turns: addresses and people one after the other, and no more than a share of the time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable

import pytest

from games.live.fair_queue import FairQueue

Asked = tuple[str, Hashable]


def served(asked: list[Asked], *, leaves: tuple[int, ...] = ()) -> list[Asked]:
    """In which order those who ask, one after the other, get their turns; some leave before."""
    order: list[Asked] = []

    async def scene() -> None:
        queue = FairQueue(at_once=1)

        async def one(address: str, person: Hashable) -> None:
            async with queue.turn(address, person):
                order.append((address, person))
                await asyncio.sleep(0)

        async with queue.turn("", None):
            tasks = [asyncio.create_task(one(*each)) for each in asked]
            await asyncio.sleep(0)
            assert queue.waiting == len(asked)
            for number in leaves:
                tasks[number].cancel()
            await asyncio.sleep(0)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert queue.waiting == 0
        async with asyncio.timeout(5), queue.turn("z", None):  # its place is free again
            pass

    asyncio.run(scene())
    return order


def test_who_asks_over_hundreds_of_sockets_is_served_in_turn_with_everybody_else() -> None:
    flood = [("attacker", None)] * 300
    order = served([*flood, ("home", 1), ("office", 2), ("attacker", 3)])
    assert order[:5] == [
        ("attacker", None),
        ("home", 1),
        ("office", 2),
        ("attacker", 3),
        ("attacker", None),
    ]
    assert len(order) == 303


def test_who_leaves_while_waiting_keeps_nobody_from_their_turn() -> None:
    asked: list[Asked] = [("a", None), ("a", None), ("b", 1), ("a", None)]
    assert served(asked, leaves=(0, 2)) == [("a", None)] * 2
    assert served(asked, leaves=(0, 1, 2, 3)) == []


def test_who_leaves_just_as_their_turn_comes_gives_it_to_the_next() -> None:
    async def scene() -> None:
        queue = FairQueue(at_once=1)

        async def one() -> None:
            async with queue.turn("a", None):
                await asyncio.sleep(60)

        async with queue.turn("", None):
            first = asyncio.create_task(one())
            await asyncio.sleep(0)
        first.cancel()  # it has been granted its turn, and does not know yet
        async with asyncio.timeout(5), queue.turn("b", None):
            pass

    asyncio.run(scene())


@pytest.mark.parametrize("share", [0.5, 0.25])
def test_a_place_rests_in_proportion_to_what_its_turn_took(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []

    async def scene() -> None:
        loop = asyncio.get_running_loop()

        def call_later(seconds: float, work: Callable[[], None]) -> None:
            rests.append(seconds)
            loop.call_soon(work)

        monkeypatch.setattr(loop, "call_later", call_later)
        queue, now = FairQueue(at_once=1, share=share), [0.0]
        monkeypatch.setattr("games.live.fair_queue.monotonic", lambda: now[0])
        for seconds in (0.01, 0.05, 30.0):
            async with queue.turn("a", None):
                now[0] += seconds
            await asyncio.sleep(0)

    asyncio.run(scene())
    factor = 1 / share - 1
    assert rests == pytest.approx([0.01 * factor, 0.05 * factor, 0.25])


def test_as_many_turns_at_a_time_as_said() -> None:
    current, most = 0, 0

    async def one(queue: FairQueue) -> None:
        nonlocal current, most
        async with queue.turn("a", None):
            current, most = current + 1, max(most, current + 1)
            await asyncio.sleep(0)
            current -= 1

    async def scene() -> None:
        queue = FairQueue(at_once=3)
        several: list[Awaitable[None]] = [one(queue) for _ in range(20)]
        await asyncio.gather(*several)

    asyncio.run(scene())
    assert most == 3
