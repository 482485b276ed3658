"""The consumers of a table and of the lobby: on each message they render and send what is new."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from math import inf
from time import monotonic
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from django.utils import timezone, translation

from games import catalogue, metrics
from games.chat import rendering
from games.live.base_consumer import BaseConsumer
from games.models import LONGEST_CODE, Game
from games.play import announce, presence
from games.rendering import frames
from games.store import queries
from games.store.event_log import Own

# Several changes of the lobby within this time make one frame.
LOBBY_COALESCE_SECONDS = 0.3
# After this many frames in a row, other tasks of the event loop get a turn.
_FRAMES_PER_BATCH = 50

Item = TypeVar("Item")


class GameConsumer(BaseConsumer):
    """One page of a table, of a seat or of a spectator."""

    kind = "table"
    seq = -1  # the version of the game that the page shows
    chat_etag = ""  # the version of the chat that the page shows
    chat_seen_at = -inf  # when the rendering of that chat began, by time.monotonic
    checked_at: float | None = None  # when this socket last checked by itself
    # Who is looking, once that is final: at an open table people still change seats.
    viewer: frames.Viewer | None = None
    own: Own | None = None  # the facts known to this seat alone

    def prepare(self, query: dict[str, list[str]]) -> bool:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self.group = announce.group(self.code)
        seen = query.get("seen", [""])[0]
        if seen.isascii() and seen.isdigit() and len(seen) < 10:
            self.seq = int(seen)
        self.chat_etag = query.get("heard", [""])[0]
        return len(self.code) <= LONGEST_CODE  # a longer one is no valid group name

    def forget(self) -> None:
        self.seq = -1

    @classmethod
    async def on_message(cls, sockets: Collection[GameConsumer], message: dict[str, Any]) -> None:
        match message["type"]:
            case "game.moved":
                behind = [socket for socket in sockets if socket.seq < message["seq"]]
                await _send_frames(behind, seq=message["seq"])
            case "game.talked":
                await _send_chat(list(sockets), since=monotonic())
            case "look.again":  # after a gap between processes, messages may be missing
                for first in list(sockets)[:1]:
                    await first._refresh_table()
                    behind = [socket for socket in sockets if socket.seq < first.seq]
                    await _send_frames(behind, seq=first.seq)
                await _send_chat(list(sockets), since=monotonic())

    async def refresh(self) -> bool:
        if not await self._refresh_table():
            return False
        # At a heartbeat, a chat that another socket rendered since the last one is new enough.
        now = monotonic()
        await _send_chat([self], since=self.checked_at or now)
        self.checked_at = now
        return True

    async def _refresh_table(self) -> bool:
        """Send the table as the database has it, if it is new; False when there is no game."""
        seen = self.seq
        found = await self._render(seen)
        if found is None:
            return False
        seq, html = found
        if self.seq == seen > seq:
            self.seq = -1  # the page claims a version that this game has never had
        await self.send_frame(seq, html)
        return True

    async def send_frame(self, seq: int, html: str) -> None:
        """Send a frame, unless the page shows this version or a newer one by now."""
        if seq > self.seq:
            self.seq = seq
            metrics.sent("table", html)
            await self.send(text_data=html)

    async def send_chat(self, began: float, html: str) -> None:
        """Send the chat whose rendering began at `began`, unless the page shows it or a newer."""
        if began >= self.chat_seen_at and (etag := rendering.etag(html)) != self.chat_etag:
            self.chat_seen_at, self.chat_etag = began, etag
            metrics.sent("talk", html)
            await self.send(text_data=html)

    @database_sync_to_async
    def _render(self, seen: int) -> tuple[int, str] | None:
        """The game's version and this page's frame, "" when the version is `seen`; None: no game.

        Also notes the viewer's presence.
        """
        game = Game.objects.filter(code=self.code).first()
        if game is None:
            return None
        seat = queries.seat_of(game, self.scope["user"])
        number = None if seat is None else seat.number
        if game.status != Game.Status.OPEN:
            self.viewer = (number, self.language)
        presence.record(game, number, now=timezone.now())
        if game.seq == seen:
            return seen, ""
        with translation.override(self.language):
            return game.seq, frames.frame(game, number, user=self.scope["user"])


async def _send_frames(behind: Collection[GameConsumer], *, seq: int) -> None:
    """Send the game at `seq` or later to the sockets that are behind; known viewers share a read.

    Players come first, because many spectators take a while.
    """
    known = [(socket.viewer, socket) for socket in behind if socket.viewer is not None]
    if known:
        viewers = {viewer: socket.own for viewer, socket in known}
        rendered = await _render_for(known[0][1].code, viewers, seq=seq)
        known.sort(key=lambda each: each[0][0] is None)
        async for viewer, socket in _in_batches(known):
            socket.own = None if viewer[0] is None else rendered.own[viewer[0]]
            await socket.send_frame(rendered.seq, rendered.frames[viewer])
    for socket in behind:
        if socket.viewer is None:
            await socket._refresh_table()


_render_for = database_sync_to_async(frames.render_for)


async def _in_batches(items: Iterable[Item]) -> AsyncIterator[Item]:
    """Yield the items, and let other tasks of the event loop run after each batch."""
    for count, item in enumerate(items, start=1):
        yield item
        if not count % _FRAMES_PER_BATCH:
            await asyncio.sleep(0)


async def _send_chat(sockets: Sequence[GameConsumer], *, since: float) -> None:
    """Send the chat of their table to these sockets; a rendering begun after `since` will do."""
    if sockets:
        began = monotonic()
        readers = [(socket.scope["user"].pk, socket.language) for socket in sockets]
        chats = await _render_chat(sockets[0].code, readers, since=since)
        async for socket, html in _in_batches(zip(sockets, chats, strict=True)):
            await socket.send_chat(began, html)


_render_chat = database_sync_to_async(rendering.render_for)


class LobbyConsumer(BaseConsumer):
    """One page of the lobby: the list of public tables, of all games or of one."""

    kind = "lobby"
    group = announce.LOBBY
    game_key = ""
    shown = ""  # the list that the page shows
    shown_at = -inf  # when its rendering began, by time.monotonic

    @property
    def coalesce_seconds(self) -> float:  # type: ignore[override]
        return LOBBY_COALESCE_SECONDS

    def prepare(self, query: dict[str, list[str]]) -> bool:
        self.game_key = query.get("game", [""])[0]
        return not self.game_key or self.game_key in {game.key for game in catalogue.every()}

    @classmethod
    async def on_message(cls, sockets: Collection[LobbyConsumer], message: dict[str, Any]) -> None:
        began = monotonic()
        kinds = {(socket.language, socket.game_key) for socket in sockets}
        lists = {kind: await _tables(*kind, since=began) for kind in kinds}
        async for socket in _in_batches(sockets):
            await socket.send_list(began, lists[socket.language, socket.game_key])

    async def refresh(self) -> bool:
        began = monotonic()
        await self.send_list(began, await _tables(self.language, self.game_key, since=began))
        return True

    async def send_list(self, began: float, html: str) -> None:
        """Send the list whose rendering began at `began`, unless the page shows it or a newer."""
        if began >= self.shown_at and html != self.shown:
            self.shown_at, self.shown = began, html
            metrics.sent("lobby", html)
            await self.send(text_data=html)


async def _tables(language: str, game_key: str, *, since: float) -> str:
    """The list, rendered after `since`. Those who ask within a second wait and share one."""
    while isinstance(found := await _rendered_tables(language, game_key, since=since), float):
        await asyncio.sleep(found)
    return found


@database_sync_to_async
def _rendered_tables(language: str, game_key: str, *, since: float) -> str | float:
    """The list, or how many seconds to wait for it."""
    with translation.override(language):
        wait = frames.seconds_until_lobby(game_key, since=since)
        return wait or frames.lobby(game_key, since=since).html
