"""A club behind one address: fifty people with three pages each, under the limits as they are."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from perudo_site.ratelimit import settings as limits
from tests.support.deployments import error_entries
from tests.support.live_site import PATIENCE, LiveSite

pytestmark = pytest.mark.real_server

# As long as nobody sets them.
PROPOSED = {
    name: str(value)
    for name, value in vars(limits).items()
    if name.endswith(("_PER_PERSON", "_PER_ADDRESS", "_AT_ONCE", "_PER_HOUR"))
}
PAGES = ("/", "/rules", "/account/")
APART = 0.2  # seconds: fifty people do not come in the same moment
SOCKETS = ("/ws/lobby", "/ws/person", "/ws/person")  # of these pages


async def opened(site: LiveSite, path: str, *, session: str = "") -> ClientConnection:
    cookie = {"Cookie": f"sessionid={session}"} if session else {}
    return await connect(
        site.ws_url + path,
        origin=site.url,  # type: ignore[arg-type]
        additional_headers=cookie,
        open_timeout=PATIENCE,
        compression=None,
    )


async def is_kept(socket: ClientConnection) -> bool:
    """Whether the site sends the page something, and answers it."""
    try:
        await asyncio.wait_for(socket.recv(), PATIENCE)
        await socket.send("ping")
        await asyncio.wait_for(socket.recv(), PATIENCE)
    except ConnectionClosed as closed:
        assert closed.rcvd is not None and closed.rcvd.code == 4429
        return False
    return True


def test_fifty_people_with_three_pages_each_fit_and_a_crowd_of_sockets_does_not(
    new_site: Callable[..., LiveSite],
) -> None:
    site = new_site(**PROPOSED)
    site.start()
    with ExitStack() as clients:
        sessions = []
        for _ in range(50):
            client = clients.enter_context(site.guest())
            for page in PAGES:
                client.get(page).raise_for_status()
            sessions.append(client.cookies["sessionid"])
            time.sleep(APART)

        async def scene() -> None:
            async with AsyncExitStack() as held:

                async def keeps(path: str, session: str = "") -> bool:
                    socket = await opened(site, path, session=session)
                    held.push_async_callback(socket.close)
                    return await is_kept(socket)

                for session in sessions:
                    kept = [await keeps(path, session) for path in SOCKETS]
                    assert kept == [True] * 3
                room = limits.SOCKETS_PER_ADDRESS - 3 * len(sessions)
                for _ in range(room // 50):
                    assert all(await asyncio.gather(*(keeps("/ws/lobby") for _ in range(50))))
                assert not await keeps("/ws/lobby"), "a stranger may not hold more"
                assert not await keeps("/ws/person", sessions[0]), "nor anybody else there"
                elsewhere = httpx.AsyncHTTPTransport(local_address="127.0.0.9")
                async with httpx.AsyncClient(transport=elsewhere, timeout=PATIENCE) as visitor:
                    answer = await visitor.get(f"{site.url}/rules")
                assert answer.status_code == httpx.codes.OK

        asyncio.run(scene())
    assert error_entries(site.log) == []
