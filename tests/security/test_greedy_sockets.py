"""One address asks over hundreds of sockets: it is refused, the others play, and all come back."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from perudo_site.ratelimit import settings as limits
from tests.support.deployments import QUICK, error_entries
from tests.support.live_site import PATIENCE, LiveSite
from tests.support.players import HttpPlayer, player_factory

pytestmark = pytest.mark.real_server
NewSite = Callable[..., LiveSite]

FLOODER, OTHER = "127.0.0.2", "127.0.0.3"
# As a new site has them; for tests from one address they are lifted otherwise.
LIMITS = {
    name: str(getattr(limits, name))
    for name in ("SOCKETS_PER_ADDRESS", "OPENINGS_PER_ADDRESS", "MESSAGES_PER_ADDRESS")
}


@pytest.fixture
def new_player() -> Iterator[Callable[..., HttpPlayer]]:
    with player_factory() as new_player:
        yield new_player


async def opened(site: LiveSite, path: str, source: str) -> ClientConnection:
    return await connect(
        site.ws_url + path,
        origin=site.url,  # type: ignore[arg-type]
        local_addr=(source, 0),
        open_timeout=PATIENCE,
        compression=None,
    )


async def all_opened(
    site: LiveSite, path: str, *, source: str, count: int
) -> list[ClientConnection]:
    return list(await asyncio.gather(*(opened(site, path, source) for _ in range(count))))


async def is_shown_the_table(socket: ClientConnection) -> bool:
    """Whether it is sent a frame, and then that it is current."""
    async with asyncio.timeout(PATIENCE):
        while '<section id="own"' not in str(await socket.recv()):
            pass
        while not str(await socket.recv()).startswith("<!-- now"):
            pass
    return True


def watched_table(site: LiveSite, new_player: Callable[..., HttpPlayer]) -> tuple[HttpPlayer, str]:
    host, other = new_player(site), new_player(site)
    code = host.open_table(size=2)
    assert other.action(code, "sit") == "" == host.action(code, "start")
    return host, code


def test_a_flood_of_looks_gets_what_an_address_may_and_another_one_is_answered(
    new_site: NewSite, new_player: Callable[..., HttpPlayer]
) -> None:
    site = new_site(**QUICK, **LIMITS | {"OPENINGS_PER_ADDRESS": "120"})
    site.start()
    host, code = watched_table(site, new_player)
    path, count = f"/ws/games/{code}?lang=en", 100
    frames: Counter[str] = Counter()

    async def listen(socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for said in socket:
                frames["all"] += '<section id="own"' in str(said)

    async def scene() -> None:
        began = time.monotonic()
        flood = await all_opened(site, path, source=FLOODER, count=count)
        listening = [asyncio.create_task(listen(socket)) for socket in flood]
        for _ in range(10):
            for socket in flood:
                await socket.send("look")
        other = await opened(site, path, OTHER)
        assert await is_shown_the_table(other)
        await other.send("look")
        assert await is_shown_the_table(other)
        # What they saw when they came, and what 120 a minute still allowed.
        assert frames["all"] <= count + 20 + 1 + 2 * (time.monotonic() - began)
        for task in listening:
            task.cancel()
        for socket in (*flood, other):
            await socket.close()

    asyncio.run(scene())
    assert host.open_table(size=2)
    assert error_entries(site.log) == []


def test_sockets_that_say_much_are_closed_where_their_address_says_too_much(
    new_site: NewSite,
) -> None:
    """Who plays behind the same address goes on."""
    site = new_site(**QUICK, MESSAGES_PER_ADDRESS="120")
    site.start()

    async def chatter(socket: ClientConnection) -> int:
        with suppress(ConnectionClosed):
            for _ in range(60):  # alone it may
                await socket.send("x")
            await asyncio.wait_for(socket.wait_closed(), 2)
        with suppress(TimeoutError):
            await asyncio.wait_for(socket.wait_closed(), 2)
        return socket.close_code or 0

    async def scene() -> None:
        quiet = await opened(site, "/ws/lobby", FLOODER)
        flood = await all_opened(site, "/ws/lobby", source=FLOODER, count=10)
        codes = Counter(await asyncio.gather(*map(chatter, flood), return_exceptions=True))
        assert codes[4429] + codes[1006] >= 7, codes
        for _ in range(5):
            await quiet.send("ping")
            async with asyncio.timeout(PATIENCE):
                assert await quiet.recv()
        [alone] = await all_opened(site, "/ws/lobby", source=OTHER, count=1)
        await alone.send("ping")
        async with asyncio.timeout(PATIENCE):
            assert await alone.recv()
        for socket in (quiet, alone):
            await socket.close()

    asyncio.run(scene())
    assert error_entries(site.log) == []


def test_who_opens_sockets_again_and_again_is_refused_late_and_alone(new_site: NewSite) -> None:
    site = new_site(**QUICK, OPENINGS_PER_ADDRESS="30", SOCKETS_PER_ADDRESS="500")
    site.start()

    async def scene() -> None:
        answers: Counter[int] = Counter()

        async def one() -> None:
            for _ in range(3):
                try:
                    await (await opened(site, "/ws/lobby", FLOODER)).close()
                    answers[101] += 1
                except InvalidStatus as refused:
                    answers[refused.response.status_code] += 1

        began = time.monotonic()
        await asyncio.gather(*(one() for _ in range(30)))
        seconds = time.monotonic() - began
        assert answers[101] <= 30 + 1 + seconds / 2
        assert answers[403] > 0 and seconds >= 1
        other = await opened(site, "/ws/lobby", OTHER)
        await other.close()

    asyncio.run(scene())
    assert error_entries(site.log) == []


def test_after_a_restart_all_sockets_of_an_address_come_back_at_once_and_are_shown_the_table(
    new_site: NewSite, new_player: Callable[..., HttpPlayer]
) -> None:
    """Under the limits of a new site, each looks besides, and somebody elsewhere too."""
    site = new_site(**QUICK, **LIMITS)
    site.start()
    _, code = watched_table(site, new_player)
    path, count = f"/ws/games/{code}?lang=en", 150

    async def comes_back(source: str) -> ClientConnection:
        while True:
            with suppress(ConnectionError, InvalidStatus, ConnectionClosed):
                socket = await opened(site, path, source)
                assert await is_shown_the_table(socket)
                await socket.send("look")
                assert await is_shown_the_table(socket)
                return socket
            await asyncio.sleep(0.3)

    async def scene() -> None:
        sockets = await all_opened(site, path, source=FLOODER, count=count)
        assert all(await asyncio.gather(*map(is_shown_the_table, sockets)))
        await asyncio.to_thread(site.restart)
        coming = [comes_back(FLOODER) for _ in range(count)] + [comes_back(OTHER)]
        back = await asyncio.gather(*coming)
        assert len(back) == count + 1
        await asyncio.gather(*(socket.close() for socket in back))

    asyncio.run(scene())
    assert not re.search("limits refused", site.log)
    assert error_entries(site.log) == []
