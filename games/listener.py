"""What every socket of ours does: join first, look second, keep alive, end with its session."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from random import uniform
from typing import Any
from urllib.parse import parse_qs
from weakref import WeakKeyDictionary

from autobahn.exception import Disconnected
from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from games import ears, metrics, push

# A socket asks by itself, this often, whether it has missed something: a channel layer may drop
# a message or a whole membership without a word.
HEARTBEAT_SECONDS = 25
# Sent after every look: a screen that was sent nothing else shows what is true, and a browser that
# hears nothing for long knows that its line is dead.
STILL_HERE = "<!-- still here -->"
# Closing codes of ours: the browser does not come back after them, but after trouble it does.
SIGNED_OUT, NOT_FOUND, TROUBLE = 4401, 4404, 1011

# So many are let in at a time: when a whole crowd comes back, those who play need not wait for it.
AT_THE_DOOR = 8
_doors: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

logger = logging.getLogger(__name__)


class Listener(AsyncWebsocketConsumer):
    """A socket that joins its group first and looks second, then sends what it sees."""

    kind: str
    group: str
    language: str
    pause = 0.0  # seconds in which several messages are heard as one
    listens = False
    heart: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Channels' own, but without a channel for each socket (see `ears`), and whoever goes
        while he is let in is served no further: a crowd that comes back twice would be served
        twice. People speak by POST; whatever else arrives here is not listened to.
        """
        self.scope, self.base_send = scope, send
        await receive()  # the handshake
        opening, leaving = asyncio.create_task(self.connect()), asyncio.create_task(_left(receive))
        try:
            await asyncio.wait((opening, leaving), return_when=asyncio.FIRST_COMPLETED)
            if opening.done():
                opening.result()  # trouble ends the socket
                await leaving
        finally:  # it failed, or was cut short: nobody else would let go of what it holds
            for task in (opening, leaving):
                task.cancel()
            await asyncio.gather(opening, leaving, return_exceptions=True)
            await self._let_go()

    async def connect(self) -> None:
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        self.language = language_of(query.get("lang", [""])[0])
        await self.accept()
        async with _door():
            if not self.prepare(query):
                await self.close(NOT_FOUND)
                return
            self.listens = True
            metrics.sockets.labels(self.kind).inc()
            await ears.join(self.group, self, _or_come_back(type(self).hear), pause=self.pause)
            if (person := self.scope["user"].pk) is not None:
                await ears.join(push.person(person), self, _or_come_back(_hear_of_sessions))
            self.heart = asyncio.create_task(self._beat())
            await self._look_and_tell()

    async def _let_go(self) -> None:
        if not self.listens:
            return
        metrics.sockets.labels(self.kind).dec()
        if self.heart is not None:
            self.heart.cancel()
            with suppress(asyncio.CancelledError):
                await self.heart
        await ears.leave(self.group, self)
        if (person := self.scope["user"].pk) is not None:
            await ears.leave(push.person(person), self)

    async def send(self, *args: Any, **kwargs: Any) -> None:
        """Send a frame; a socket that has just gone hears nothing, and `disconnect` tidies up."""
        with suppress(Disconnected):
            await super().send(*args, **kwargs)

    def prepare(self, query: dict[str, list[str]]) -> bool:
        """Read from the address what this socket listens to, and what its screen shows already.

        False when there cannot be such a thing; whether there is, the first look tells.
        """
        return True

    async def look(self) -> bool:
        """Send what is true now, unless this socket has it; False where there is nothing."""
        raise NotImplementedError

    @classmethod
    async def hear(cls, listeners: Collection[Any], message: dict[str, Any]) -> None:
        """Something was said to the group: show it to all who listen in this process."""
        raise NotImplementedError

    async def _beat(self) -> None:
        """Trouble ends the socket, so that the browser comes back."""
        try:
            while True:
                await asyncio.sleep(HEARTBEAT_SECONDS * uniform(0.8, 1.2))  # noqa: S311  no herd
                if not await _still_signed_in(self.scope):
                    await self.close(SIGNED_OUT)
                    return
                await self._look_and_tell()
        except Exception:
            logger.exception("a socket of %s failed", self.group)
            await self.close(TROUBLE)

    async def _look_and_tell(self) -> None:
        if await self.look():
            await self.send(text_data=STILL_HERE)
        else:
            await self.close(NOT_FOUND)


def _door() -> asyncio.Semaphore:
    return _doors.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(AT_THE_DOOR))


async def _left(receive: Callable[[], Awaitable[dict[str, Any]]]) -> None:
    while (await receive())["type"] != "websocket.disconnect":
        pass


def language_of(wanted: str) -> str:
    try:
        return translation.get_supported_language_variant(wanted)
    except LookupError:
        return settings.LANGUAGE_CODE


def _or_come_back(hear: ears.Hears) -> ears.Hears:
    """Who could not be told what is new is not left with what is old: he comes back and looks."""

    async def heard(listeners: Collection[Listener], message: dict[str, Any]) -> None:
        try:
            await hear(listeners, message)
        except Exception:
            for one in listeners:
                await one.close(TROUBLE)
            raise

    return heard


async def _hear_of_sessions(listeners: Collection[Listener], message: dict[str, Any]) -> None:
    """Some session of one person has ended: see out whoever came with it."""
    for one in listeners:
        if not await _still_signed_in(one.scope):
            await one.close(SIGNED_OUT)


async def _still_signed_in(scope: dict[str, Any]) -> bool:
    """Whether the session this socket came with is still good; a visitor has none to lose.

    Signing out ends the row, a new password or a deleted account what it was signed with.
    """
    if not scope["user"].is_authenticated:
        return True
    session = scope["session"]
    there = await database_sync_to_async(session.exists)(session.session_key)
    return there and (await get_user(scope)).is_authenticated
