"""Sockets: they listen for a number, look at what is true, and forward one frame."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from time import monotonic
from typing import Any
from urllib.parse import parse_qs
from weakref import WeakValueDictionary

from autobahn.exception import Disconnected
from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from games import lobby, push, screens
from games.models import Game
from games.screens import talk

# A socket asks by itself, this often, whether it has missed something: a channel layer may drop
# a message or a whole membership without a word.
HEARTBEAT_SECONDS = 25
# Several changes of the lobby within this time make one frame.
LOBBY_PAUSE_SECONDS = 0.3
# Closing codes of ours: the browser does not come back after them, but after trouble it does.
SIGNED_OUT, NOT_FOUND, TROUBLE = 4401, 4404, 1011

logger = logging.getLogger(__name__)
# The spectators of a game take turns: the first looks, the others have his frame at hand.
_spectators: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


class Listener(AsyncWebsocketConsumer):
    """A socket that joins a group first and looks second, then sends what it sees."""

    group: str
    language: str

    async def connect(self) -> None:
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        self.language = _language(query.get("lang", [""])[0])
        self.looking = asyncio.Lock()  # two looks at once could send an older frame last
        await self.accept()
        if not await self.prepare(query):
            await self.close(NOT_FOUND)
            return
        await self.channel_layer.group_add(self.group, self.channel_name)
        self.heart = asyncio.create_task(self._or_hang_up(self._beat()))
        await self.look()

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "heart"):
            self.heart.cancel()
            with suppress(asyncio.CancelledError):
                await self.heart
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def send(self, *args: Any, **kwargs: Any) -> None:
        """Send a frame; a socket that has just gone hears nothing, and `disconnect` tidies up."""
        with suppress(Disconnected):
            await super().send(*args, **kwargs)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """People speak by POST; whatever arrives here is not listened to."""

    async def prepare(self, query: dict[str, list[str]]) -> bool:
        """Find out what this socket listens to; False when there is nothing."""
        raise NotImplementedError

    async def look(self) -> None:
        """Send what is true now, unless this socket has it already."""
        raise NotImplementedError

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            if not await _still_signed_in(self.scope):
                await self.close(SIGNED_OUT)
                return
            await self.channel_layer.group_add(self.group, self.channel_name)
            await self.look()

    async def _or_hang_up(self, task: Awaitable[None]) -> None:
        """What runs beside the socket ends it when it fails, so that the browser comes back."""
        try:
            await task
        except Exception:
            logger.exception("a socket of %s failed", self.group)
            await self.close(TROUBLE)


class GameConsumer(Listener):
    """One screen of one table: a seat's, or a spectator's."""

    seq = -1
    heard = ""  # the mark of the talk this screen shows
    looked: float | None = None  # when it last looked by itself
    watching = False  # for certain: who has no seat when the game begins will not get one

    async def prepare(self, query: dict[str, list[str]]) -> bool:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self.group = push.group(self.code)
        self.spectators = _spectators.setdefault(self.code, asyncio.Lock())
        stands_at = await self._stands_at()
        seen = query.get("seen", [""])[0]
        if seen.isascii() and seen.isdigit() and len(seen) < 10:
            self.seq = int(seen)
        if stands_at is not None and self.seq > stands_at:
            self.seq = -1  # a number this game has never had
        self.heard = query.get("heard", [""])[0]
        return stands_at is not None

    async def game_moved(self, message: dict[str, Any]) -> None:
        if message["seq"] <= self.seq:
            return
        if not self.watching:
            await self._look()
            return
        async with self.spectators:
            found = screens.at_hand(self.code, message["seq"], language=self.language)
            if found is None:
                await self._look()
            else:
                async with self.looking:
                    await self._show(*found)

    async def game_talked(self, message: dict[str, Any]) -> None:
        await self._overhear(since=monotonic())

    async def look(self) -> None:
        await self._look()
        # At a beat, what others have rendered since the last one is new enough.
        now = monotonic()
        await self._overhear(since=self.looked or now)
        self.looked = now

    async def _look(self) -> None:
        async with self.looking:
            found = await self._frame(self.seq)
            if found is not None:
                await self._show(*found)

    async def _show(self, seq: int, html: str) -> None:
        if seq > self.seq:
            self.seq = seq
            await self.send(text_data=html)

    async def _overhear(self, *, since: float) -> None:
        async with self.looking:
            html = await self._talk(since)
            if (mark := talk.mark(html)) != self.heard:
                self.heard = mark
                await self.send(text_data=html)

    @database_sync_to_async
    def _talk(self, since: float) -> str:
        with translation.override(self.language):
            return talk.sayings(self.code, user=self.scope["user"], since=since)

    @database_sync_to_async
    def _stands_at(self) -> int | None:
        return Game.objects.filter(code=self.code).values_list("seq", flat=True).first()

    @database_sync_to_async
    def _frame(self, seen: int) -> tuple[int, str] | None:
        game = Game.objects.select_related("rematch").filter(code=self.code).first()
        if game is None or game.seq <= seen:
            return None
        seat = lobby.seat_of(game, self.scope["user"])
        self.watching = seat is None and game.status != Game.Status.OPEN
        with translation.override(self.language):
            number = None if seat is None else seat.number
            return game.seq, screens.frame(game, number, user=self.scope["user"])


class LobbyConsumer(Listener):
    """The list of public tables, live."""

    group = push.LOBBY
    shown = ""
    pause: asyncio.Task[None] | None = None

    async def prepare(self, query: dict[str, list[str]]) -> bool:
        return True

    async def lobby_changed(self, message: dict[str, Any]) -> None:
        self.heard = monotonic()
        if self.pause is None:
            self.pause = asyncio.create_task(self._or_hang_up(self._look_soon()))

    async def _look_soon(self) -> None:
        await asyncio.sleep(LOBBY_PAUSE_SECONDS)
        self.pause = None  # what changes from now on needs another look
        await self._look(since=self.heard)

    async def look(self) -> None:
        await self._look(since=monotonic())

    async def _look(self, *, since: float) -> None:
        async with self.looking:
            html = await self._tables(since)
            if html != self.shown:
                self.shown = html
                await self.send(text_data=html)

    async def disconnect(self, code: int) -> None:
        if self.pause is not None:
            self.pause.cancel()
        await super().disconnect(code)

    @database_sync_to_async
    def _tables(self, since: float) -> str:
        with translation.override(self.language):
            return screens.lobby_tables(since=since)


def _language(wanted: str) -> str:
    try:
        return translation.get_supported_language_variant(wanted)
    except LookupError:
        return settings.LANGUAGE_CODE


async def _still_signed_in(scope: dict[str, Any]) -> bool:
    """Whether the session this socket came with is still good; a visitor has none to lose.

    Signing out ends the row, a new password or a deleted account what it was signed with.
    """
    if not scope["user"].is_authenticated:
        return True
    session = scope["session"]
    there = await database_sync_to_async(session.exists)(session.session_key)
    return there and (await get_user(scope)).is_authenticated
