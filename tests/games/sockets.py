"""Sockets of the site without a server: what they are sent, and what closes them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from channels.layers import channel_layers
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.db import connections
from django.test import Client

from games.listener import STILL_HERE
from games.routing import websocket_urlpatterns

QUIET = 0.15  # seconds without a frame after which nothing more is coming

application = AuthMiddlewareStack(URLRouter(websocket_urlpatterns))


class Socket(WebsocketCommunicator):
    """A browser's socket, with the cookies of a client or of a stranger."""

    def __init__(self, path: str, client: Client | None = None) -> None:
        cookies = "; ".join(f"{c.key}={c.value}" for c in client.cookies.values()) if client else ""
        super().__init__(application, path, headers=[(b"cookie", cookies.encode())])

    async def opens(self) -> None:
        accepted, _ = await self.connect(timeout=5)
        assert accepted

    async def frame(self) -> str:
        """The next frame; `#talk` has tests of its own."""
        while "<section" not in (text := await self.receive_from(timeout=5)) or _is_talk(text):
            pass
        return text

    async def frames(self) -> list[str]:
        """Every frame until it is quiet."""
        found = []
        while not await self.receive_nothing(timeout=QUIET):
            text = await self.receive_from(timeout=5)
            if not _is_talk(text) and text != STILL_HERE:
                found.append(text)
        return found

    async def closing_code(self) -> int:
        while (message := await self.receive_output(timeout=5))["type"] != "websocket.close":
            pass
        return int(message["code"])


def _is_talk(html: str) -> bool:
    return 'id="talk"' in html


def on_the_wire(scene: Callable[[], Awaitable[None]]) -> None:
    """Play an async scene with a channel layer and connections of its own."""

    async def played() -> None:
        channel_layers.backends.clear()
        try:
            await scene()
        finally:
            # Not through Channels' own wrapper: it looks at the connections first, and a test
            # that may not use the database may still find one there, left by another test.
            await sync_to_async(connections.close_all)()

    asyncio.run(played())


async def done(deed: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """A deed of the synchronous world, as a view does it."""
    return await database_sync_to_async(deed)(*given, **named)
