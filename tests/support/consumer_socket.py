"""A WebSocket client for the consumers, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

from asgiref.sync import sync_to_async
from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from channels.layers import channel_layers
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.db import connections
from django.test import Client

from games.live import fanout
from games.live.routing import websocket_urlpatterns
from perudo_site.ratelimit.websocket import counting, with_address
from tests.support.live_site import PATIENCE, STAMP

QUIET_SECONDS = (
    0.05  # seconds without a frame after which no more are expected, when nothing is pending
)

application = with_address(AuthMiddlewareStack(counting(URLRouter(websocket_urlpatterns))))


class ConsumerSocket(WebsocketCommunicator):
    """A socket with the cookies of a client; without one, of an anonymous visitor.

    `source`: the address it comes from; "" is none, and has no limits.
    """

    def __init__(self, path: str, client: Client | None = None, *, source: str = "") -> None:
        cookies = "; ".join(f"{c.key}={c.value}" for c in client.cookies.values()) if client else ""
        super().__init__(application, path, headers=[(b"cookie", cookies.encode())])
        self.scope["client"] = [source, 0]

        self.is_checked = False  # the consumer has compared the page with the database

    async def receive_from(self, timeout: float = 1) -> str:
        """The next message without the server's time, which ends it; "" is a heartbeat."""
        text, count = STAMP.subn("", await super().receive_from(timeout))
        assert count == 1
        self.is_checked |= not text
        return text

    async def open(self) -> None:
        accepted, _ = await self.connect(timeout=PATIENCE)
        assert accepted

    async def frame(self) -> str:
        """The next frame of a table or the lobby, not of the chat."""
        while True:
            text = await self.receive_from(timeout=PATIENCE)
            if "<section" in text and not _is_chat(text):
                return text

    async def frames(self) -> list[str]:
        """All frames until nothing is pending, without those of the chat."""
        found: list[str] = []
        deadline = monotonic() + PATIENCE
        while True:
            while await self.receive_nothing(timeout=QUIET_SECONDS):
                if self.is_checked and fanout.is_idle():
                    return found
                assert monotonic() < deadline, "the consumer does not finish"
            text = await self.receive_from(timeout=PATIENCE)
            if not _is_chat(text) and text:
                found.append(text)

    async def close_code(self) -> int:
        while (message := await self.receive_output(timeout=PATIENCE))["type"] != "websocket.close":
            pass
        return int(message["code"])


def _is_chat(html: str) -> bool:
    return 'id="talk"' in html or 'id="reactions"' in html


def run_async(scene: Callable[[], Awaitable[None]]) -> None:
    """Run an async scene with its own channel layer and database connections."""

    async def played() -> None:
        channel_layers.backends.clear()
        try:
            await scene()
        finally:
            # Not by database_sync_to_async: it uses the connections first, and a test without
            # database access may find one that another test left.
            await sync_to_async(connections.close_all)()

    asyncio.run(played())


async def in_thread(action: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Call a synchronous function in a thread, as a view is called."""
    return await database_sync_to_async(action)(*given, **named)
