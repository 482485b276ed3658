"""What sockets ask is counted by person and address, one thing at a time, whoever else looks on."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.live import base_consumer, consumers, moves
from games.play import presence
from perudo_site.ratelimit import local, refusals
from tests.support.consumer_socket import ConsumerSocket, run_async
from tests.support.fixtures import signed_in
from tests.support.game_driver import GameDriver, deal_game

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
FLOODER, OTHER = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    return deal_game(alice, bob, hands=HANDS)


@pytest.fixture
def renders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that sockets have read from the database, by the address that asked."""
    read: list[str] = []
    render: Any = vars(consumers.GameConsumer)["_render"]

    async def counted(self: consumers.GameConsumer, seen: int) -> Any:
        read.append(self.scope["address"])
        return await render(self, seen)

    monkeypatch.setattr(consumers.GameConsumer, "_render", counted)
    return read


@pytest.fixture
def limits(settings: Any) -> Iterator[Callable[..., None]]:
    def set_to(**limits: int) -> None:
        for name, value in limits.items():
            setattr(settings, name, value)
        local.reset()

    yield set_to
    local.reset()


async def opened(
    driver: GameDriver, count: int, *, source: str, client: Client | None = None
) -> list[ConsumerSocket]:
    path = f"/ws/games/{driver.code}?lang=en"
    sockets = [ConsumerSocket(path, client, source=source) for _ in range(count)]
    for socket in sockets:
        await socket.open()
        await socket.frames()
    return sockets


async def left(*sockets: ConsumerSocket) -> None:
    for socket in sockets:
        await socket.disconnect()


def test_of_many_looks_of_a_socket_one_is_in_hand_and_the_latest_is_done_after_it(
    driver: GameDriver, alice: User, renders: list[str]
) -> None:
    client = signed_in(alice)

    async def scene() -> None:
        [socket] = await opened(driver, 1, source=FLOODER, client=client)
        renders.clear()
        for _ in range(100):
            await socket.send_to("look")
        assert await socket.frame()
        assert len(await socket.frames()) <= 1
        assert 1 <= len(renders) <= 2
        await left(socket)

    run_async(scene)


def test_visitors_who_look_are_sent_the_frame_that_another_one_was(
    driver: GameDriver, renders: list[str]
) -> None:
    async def scene() -> None:
        sockets = await opened(driver, 20, source=FLOODER)
        renders.clear()
        began = time.monotonic()
        for socket in sockets:
            await socket.send_to("look")
        shown = [await socket.frame() for socket in sockets]
        assert len(set(shown)) == 1
        seconds = time.monotonic() - began
        assert len(renders) <= 1 + seconds / consumers.WATCHED_SECONDS
        await left(*sockets)

    run_async(scene)


def test_looks_of_an_address_are_counted_over_all_its_sockets_and_nobody_elses(
    driver: GameDriver, limits: Callable[..., None]
) -> None:
    """What is too much is put off, not lost: the page does not look dead meanwhile."""

    async def scene() -> None:
        flood = await opened(driver, 10, source=FLOODER)
        [other] = await opened(driver, 1, source=OTHER)
        limits(OPENINGS_PER_ADDRESS=30, SOCKETS_PER_ADDRESS=6)
        began = time.monotonic()
        for _ in range(5):
            for socket in flood:
                await socket.send_to("look")
        await other.send_to("look")
        assert await other.frame()
        answered = sum([len(await socket.frames()) for socket in flood])
        assert answered <= 6 + 1 + 0.5 * (time.monotonic() - began)
        assert refusals._counted["looks"] > 0
        await flood[-1].send_to("ping")
        assert await flood[-1].receive_from(timeout=10) is not None
        limits(OPENINGS_PER_ADDRESS=1_000_000, SOCKETS_PER_ADDRESS=1_000_000)
        for socket in flood[-3:]:  # those who were put off are shown the table in the end
            await socket.send_to("look")
            assert await socket.frame()
        await left(*flood, other)

    run_async(scene)


def test_a_person_is_counted_from_wherever_they_look(
    driver: GameDriver, alice: User, renders: list[str], limits: Callable[..., None]
) -> None:
    client = signed_in(alice)

    async def scene() -> None:
        sockets = []
        for number in range(5):
            sockets += await opened(driver, 1, source=f"198.51.100.{number}", client=client)
        limits(OPENINGS_PER_PERSON=2)
        renders.clear()
        began = time.monotonic()
        for _ in range(5):
            for socket in sockets:
                await socket.send_to("look")
        for socket in sockets:
            await socket.frames()
        assert len(renders) <= 2 + 1 + (time.monotonic() - began) / 30
        await left(*sockets)

    run_async(scene)


def test_hidden_and_in_view_are_counted_as_looks_and_the_latest_stands(
    driver: GameDriver, alice: User, limits: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[str] = []
    for name in ("came_back", "went_away"):
        note = getattr(presence, name)

        def counted(*given: Any, _name: str = name, _note: Any = note, **named: Any) -> None:
            noted.append(_name)
            _note(*given, **named)

        monkeypatch.setattr(presence, name, counted)
    client = signed_in(alice)

    async def scene() -> None:
        [socket] = await opened(driver, 1, source=FLOODER, client=client)
        limits(OPENINGS_PER_PERSON=3)
        noted.clear()
        for _ in range(50):
            await socket.send_to("hidden")
            await socket.send_to("shown")
        await socket.send_to("hidden")
        async with asyncio.timeout(30):
            while noted[-1:] != ["went_away"]:
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.3)
        assert len(noted) <= 4
        assert noted[-1] == "went_away"
        await left(socket)

    run_async(scene)


def test_a_visitors_moves_and_those_over_the_limit_never_reach_the_games_thread(
    driver: GameDriver,
    alice: User,
    limits: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[Any] = []
    answer = moves.answer
    monkeypatch.setattr(consumers, "_answer", _counting(answer, tried))
    client = signed_in(alice)

    async def scene() -> None:
        visitors = await opened(driver, 1, source=FLOODER)
        players = await opened(driver, 1, source=FLOODER, client=client)
        limits(POSTS_PER_PERSON=2)
        for [socket], most in ((visitors, 0), (players, 2)):
            tried.clear()
            for number in range(20):
                await socket.send_to(f"move n={number}&at=0")
                answered = await socket.receive_from(timeout=10)
                while not answered.startswith("{"):
                    answered = await socket.receive_from(timeout=10)
            assert len(tried) <= most
            await left(socket)

    run_async(scene)


def _counting(answer: Any, tried: list[Any]) -> Any:
    async def counted(*given: Any, **named: Any) -> Any:
        tried.append(given)
        return await base_consumer.database_sync_to_async(answer)(*given, **named)

    return counted


def test_one_line_a_minute_names_what_was_refused_and_how_late_clocks_were(
    caplog: pytest.LogCaptureFixture,
) -> None:
    refusals.report(now=None)  # type: ignore[arg-type]  # what other tests left
    caplog.clear()
    for what in ("looks", "looks", "openings"):
        refusals.of_a_socket(what)
    refusals.metrics.worst_clock_lag.observe(1.25)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            refusals.report(now=None)  # type: ignore[arg-type]
    assert [record.getMessage() for record in caplog.records] == [
        "limits refused looks=2 openings=1 clocks_behind_ms=1250 sockets_waiting=0"
    ]


def test_many_visitors_who_come_back_at_once_are_all_shown_the_table(
    driver: GameDriver, renders: list[str]
) -> None:
    """As after a restart, under the limits of a new site: they share what is rendered."""

    async def scene() -> None:
        path = f"/ws/games/{driver.code}?lang=en&seen=1"
        sockets = [ConsumerSocket(path, source=FLOODER) for _ in range(100)]
        await asyncio.gather(*(socket.open() for socket in sockets))
        for socket in sockets:
            await socket.send_to("look")
        shown = [await socket.frame() for socket in sockets]
        assert len(set(shown)) == 1
        assert len(renders) < 50
        await left(*sockets)

    run_async(scene)
