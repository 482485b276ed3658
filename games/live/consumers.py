"""The consumers of a table and of the lobby: on each message they render and send what is new."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.utils import timezone, translation

from games import catalogue, metrics
from games.chat import rendering
from games.inbox import turns
from games.live import moves
from games.live.base_consumer import (
    CLOSE_SIGNED_OUT,
    BaseConsumer,
    closing_on_error,
    version,
)
from games.live.memory_layer import LOOK_AGAIN
from games.models import LONGEST_CODE, Game, Seat
from games.play import announce, open_pages, presence, recent_moves
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
    has_chat = True  # the page shows the chat; otherwise the reactions alone
    seq = -1  # the version of the game that the page shows
    chat_etag = ""  # the version of the chat that the page shows
    chat_seen_at = -inf  # when the rendering of that chat began, by time.monotonic
    checked_at: float | None = None  # when this socket last checked by itself
    # Who is looking, once that is final: at an open table people still change seats.
    viewer: frames.Viewer | None = None
    own: Own | None = None  # the facts known to this seat alone
    seat: Seat | None = None  # in a running game, as it was last read
    is_noted = False  # `open_pages` knows that this page is in view

    def prepare(self, query: dict[str, list[str]]) -> bool:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self.group = announce.group(self.code)
        self.here = self.code
        if (seen := version(query.get("seen"))) is not None:
            self.seq = seen
        self.chat_etag = query.get("heard", [""])[0]
        return len(self.code) <= LONGEST_CODE  # a longer one is no valid group name

    def forget(self) -> None:
        self.seq = -1

    async def refresh(self) -> bool:
        if not await self._refresh_table():
            return False
        await self.set_in_view(self.is_in_view)
        # At a heartbeat, a chat that another socket rendered since the last one is new enough.
        now = monotonic()
        await _send_chat([self], since=self.checked_at or now)
        self.checked_at = now
        return True

    async def set_in_view(self, is_in_view: bool) -> None:
        """Note whether this person sees the table; what they were told about it goes."""
        await super().set_in_view(is_in_view)
        person = self.scope["user"].pk
        if person is None or is_in_view == self.is_noted:
            return
        self.is_noted = is_in_view
        if is_in_view:
            open_pages.opened(self.code, person)
            if self.seat is not None:
                await _take_back(self.seat, self.code)
            await _came_back(self.code, person)
        else:
            open_pages.closed(self.code, person)
            if self.seat is not None:
                recent_moves.note(self.code)  # whose turn may be theirs
                await _left(self.seat, self.code, now=timezone.now())
            await _went_away(self.code, person)

    async def move(self, said: str) -> None:
        """Make the move of this page, and answer it; see `moves`."""
        with moves.in_hand():
            try:
                if moves.are_stopped():
                    answer = moves.not_tried(said)
                else:
                    answer = await _answer(said, self.code, self.scope, language=self.language)
            except moves.SignedOut:
                await self.close(CLOSE_SIGNED_OUT)
            else:
                await self.send(text_data=moves.written(answer))

    async def _refresh_table(self) -> bool:
        """Send the table as the database has it, if it is new; False when there is no game."""
        seen = self.seq
        found = await self._render(seen)
        if found is None:
            return False
        seq, frame = found
        if self.seq == seen > seq:
            self.seq = -1  # the page claims a version that this game has never had
        if frame is not None:
            await self.send_frame(seq, frame)
        return True

    async def send_frame(self, seq: int, frame: frames.Frame) -> None:
        """Send a frame, unless the page shows this version or a newer one by now."""
        if seq > self.seq:
            self.seq = seq
            metrics.sent("table", frame.size)
            if self.viewer is None:  # nobody holds anything yet
                await self.send(text_data=frame.html)
            else:
                number, language = self.viewer
                table = f"{self.code} {language}"
                await self.send_parts(frame, table=table, is_secret=number is not None)

    async def send_chat(self, began: float, html: str) -> None:
        """Send the chat whose rendering began at `began`, unless the page shows it or a newer."""
        if began >= self.chat_seen_at and (etag := rendering.etag(html)) != self.chat_etag:
            self.chat_seen_at, self.chat_etag = began, etag
            metrics.sent("talk", len(html.encode()))
            await self.send(text_data=html)

    @database_sync_to_async
    def _render(self, seen: int) -> tuple[int, frames.Frame | None] | None:
        """The game's version and this page's frame, None if the version is `seen`; None: no game.

        Also notes the viewer's presence.
        """
        game = Game.objects.filter(code=self.code).first()
        if game is None:
            return None
        seat = queries.seat_of(game, self.scope["user"])
        number = None if seat is None else seat.number
        if game.status != Game.Status.OPEN:
            self.viewer = (number, self.language)
        self.seat = seat if game.status == Game.Status.PLAYING else None
        now = timezone.now()
        person = self.scope["user"].pk if self.is_noted else None
        presence.record(game, number, user_id=person, now=now)
        if self.seat is not None and self.is_in_view:
            open_pages.tell_others(self.seat, self.code, now=now)
        if game.seq == seen:
            return seen, None
        with translation.override(self.language):
            return game.seq, frames.frame(game, number, user=self.scope["user"])


_answer = database_sync_to_async(moves.answer)


class BoardConsumer(GameConsumer):
    """One table on a big screen: a spectator, whoever opened it, who sees reactions and reads no
    chat.
    """

    has_chat = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await super().__call__({**scope, "user": AnonymousUser()}, receive, send)

    async def move(self, said: str) -> None:
        """Nobody acts from there."""


@database_sync_to_async
def _take_back(seat: Seat, code: str) -> None:
    open_pages.tell_others(seat, code, now=timezone.now())
    if seat.user_id is not None:
        turns.seen(code, seat.user_id)


_left = database_sync_to_async(open_pages.tell_others_of_leaving)


@database_sync_to_async
def _came_back(code: str, person: int) -> None:
    with suppress(OperationalError):
        presence.came_back(code, person, now=timezone.now())


@database_sync_to_async
def _went_away(code: str, person: int) -> None:
    if not open_pages.is_in_view(code, person):  # in another tab of this browser, say
        presence.went_away(code, person, now=timezone.now())


async def _moved(sockets: Collection[GameConsumer], message: dict[str, Any]) -> None:
    behind = [socket for socket in sockets if socket.seq < message["seq"]]
    await _send_frames(behind, seq=message["seq"])


async def _talked(sockets: Collection[GameConsumer], message: dict[str, Any]) -> None:
    await _send_chat(list(sockets), since=monotonic())


async def _look_again(sockets: Collection[GameConsumer], message: dict[str, Any]) -> None:
    """After a gap between processes, messages may be missing."""
    for first in list(sockets)[:1]:
        await first._refresh_table()
        behind = [socket for socket in sockets if socket.seq < first.seq]
        await _send_frames(behind, seq=first.seq)
    await _send_chat(list(sockets), since=monotonic())


GameConsumer.handlers = {
    "game.moved": closing_on_error(_moved),
    "game.talked": closing_on_error(_talked),
    LOOK_AGAIN: closing_on_error(_look_again),
}


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
    """Send the chat of their table to these sockets; a rendering begun after `since` will do.

    Big screens are sent its reactions.
    """
    if boards := [socket for socket in sockets if not socket.has_chat]:
        began = monotonic()
        html = await _render_reactions(boards[0].code)
        async for socket in _in_batches(boards):
            await socket.send_chat(began, html)
    if sockets := [socket for socket in sockets if socket.has_chat]:
        began = monotonic()
        readers = [(socket.scope["user"].pk, socket.language) for socket in sockets]
        chats = await _render_chat(sockets[0].code, readers, since=since)
        async for socket, html in _in_batches(zip(sockets, chats, strict=True)):
            await socket.send_chat(began, html)


_render_chat = database_sync_to_async(rendering.render_for)
_render_reactions = database_sync_to_async(rendering.reactions_of)


class LobbyConsumer(BaseConsumer):
    """One page of the lobby: the list of public tables, of all games or of one."""

    kind = "lobby"
    group = announce.LOBBY
    kind_key = ""
    shown = ""  # the list that the page shows
    shown_at = -inf  # when its rendering began, by time.monotonic

    @property
    def coalesce_seconds(self) -> float:  # type: ignore[override]
        return LOBBY_COALESCE_SECONDS

    def prepare(self, query: dict[str, list[str]]) -> bool:
        self.kind_key = query.get("game", [""])[0]
        return not self.kind_key or self.kind_key in {kind.key for kind in catalogue.every()}

    async def refresh(self) -> bool:
        began = monotonic()
        await self.send_list(began, await _tables(self.language, self.kind_key, since=began))
        return True

    async def send_list(self, began: float, html: str) -> None:
        """Send the list whose rendering began at `began`, unless the page shows it or a newer."""
        if began >= self.shown_at and html != self.shown:
            self.shown_at, self.shown = began, html
            metrics.sent("lobby", len(html.encode()))
            await self.send(text_data=html)


async def _send_lists(sockets: Collection[LobbyConsumer], message: dict[str, Any]) -> None:
    began = monotonic()
    kinds = {(socket.language, socket.kind_key) for socket in sockets}
    lists = {kind: await _tables(*kind, since=began) for kind in kinds}
    async for socket in _in_batches(sockets):
        await socket.send_list(began, lists[socket.language, socket.kind_key])


LobbyConsumer.handlers = dict.fromkeys(("lobby.changed", LOOK_AGAIN), closing_on_error(_send_lists))


async def _tables(language: str, kind_key: str, *, since: float) -> str:
    """The list, rendered after `since`. Those who ask within a second wait and share one."""
    found: str | float = await _rendered_tables(language, kind_key, since=since)
    while isinstance(found, float):
        await asyncio.sleep(found)
        found = await _rendered_tables(language, kind_key, since=since)
    return found


@database_sync_to_async
def _rendered_tables(language: str, kind_key: str, *, since: float) -> str | float:
    """The list, or how many seconds to wait for it."""
    with translation.override(language):
        wait = frames.seconds_until_lobby(kind_key, since=since)
        return wait or frames.lobby(kind_key, since=since)
