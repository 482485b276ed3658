"""Consumers of a table page, which render and send changes on each message."""

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

from games import metrics
from games.live import moves
from games.live.base_consumer import (
    CLOSE_SIGNED_OUT,
    BaseConsumer,
    version,
)
from games.live.fair_queue import MOVES
from games.live.fanout import Message
from games.live.memory_layer import LOOK_AGAIN
from games.live.outage_handling import closing_on_error
from games.models import LONGEST_CODE, Game, Seat
from games.play import announce, open_pages, presence, recent_moves
from games.social.chat import rendering
from games.social.inbox import turns
from games.store import queries
from games.store.event_log import Own
from games.store.versioned_lru import VersionedLRU
from games.table import frames

# After this many frames in a row, other tasks of the event loop get a turn.
FRAMES_PER_BATCH = 50

# A visitor's check reuses a frame that was rendered for another visitor within this time.
WATCHED_SECONDS = 1.0

Item = TypeVar("Item")


class GameConsumer(BaseConsumer):
    """A socket of one page of a table, for a seat or a spectator."""

    kind = "table"
    has_chat = True  # the page shows the chat; if False, only reactions
    seq = -1  # the version of the game that the page shows
    chat_etag = ""  # the version of the chat that the page shows
    chat_seen_at = -inf  # when the rendering of that chat began, by time.monotonic
    checked_at: float | None = None  # when this socket last checked by itself
    # The viewer, once it is final; at an open table people still change seats.
    viewer: frames.Viewer | None = None
    own: Own | None = None  # the facts that only this seat knows
    seat: Seat | None = None  # in a running game, as last read
    is_noted = False  # `open_pages` has recorded that this page is in view

    def prepare(self, query: dict[str, list[str]]) -> bool:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self.group = announce.group(self.code)
        self.here = self.code
        if (seen := version(query.get("seen"))) is not None:
            self.seq = seen
        self.chat_etag = query.get("heard", [""])[0]
        return len(self.code) <= LONGEST_CODE  # a longer code is no valid group name

    def forget(self) -> None:
        self.seq = -1

    async def refresh(self) -> bool:
        now = monotonic()
        if self.is_current:
            # Renderings since the last check are recent enough, as messages report later changes.
            since, chat_since = now - WATCHED_SECONDS, self.checked_at or now
        else:
            since = chat_since = self.subscribed_at
        if not await self._refresh_table(since=since):
            return False
        await self.set_in_view(self.is_in_view)
        await _send_chat([self], since=chat_since)
        self.checked_at = now
        return True

    async def set_in_view(self, is_in_view: bool) -> None:
        """Record whether this user sees the table; if so, remove notices about it."""
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
                recent_moves.note(self.code)  # it may be their turn
                await _left(self.seat, self.code, now=timezone.now())
            await _went_away(self.code, person)

    async def move(self, said: str) -> None:
        """Make a move of this page, and send the answer (see `moves`)."""
        with moves.in_hand():
            try:
                answer = await self._answer(moves.MoveRequest.of(said))
            except moves.SignedOut:
                await self.close(CLOSE_SIGNED_OUT)
            else:
                await self.send(text_data=moves.written(answer))

    async def _answer(self, request: moves.MoveRequest) -> dict[str, object]:
        if (answer := moves.without_trying(request, self.scope)) is not None:
            return answer
        async with MOVES().turn(self.scope["address"], self.scope["user"].pk):
            if moves.are_stopped():
                return moves.not_tried(request)
            tried: dict[str, object] = await _answer(
                request, self.code, self.scope, language=self.language
            )
        return tried

    async def _refresh_table(self, *, since: float) -> bool:
        """Send the current table from the database, if it is new; False if there is no game.

        Visitors get the frame of another visitor if that was read after `since`.
        """
        seen = self.seq
        found = self._watched(since) or await self._render(seen)
        if found is None:
            return False
        seq, frame = found
        if self.seq == seen > seq:
            self.seq = -1  # the page claims a version that this game has never had
        if frame is not None:
            await self.send_frame(seq, frame)
        return True

    async def send_frame(self, seq: int, frame: frames.Frame) -> None:
        """Send a frame, unless the page already shows this version or a newer one."""
        if seq > self.seq:
            self.seq = seq
            metrics.sent("table", frame.size)
            if self.viewer is None:  # no hands have been dealt yet
                await self.send(text_data=frame.html)
            else:
                number, language = self.viewer
                table = f"{self.code} {language}"
                await self.send_parts(frame, table=table, is_secret=number is not None)

    async def send_chat(self, began: float, html: str) -> None:
        """Send the chat rendered at `began`, unless the page shows the same or a newer one."""
        if began >= self.chat_seen_at and (etag := rendering.etag(html)) != self.chat_etag:
            self.chat_seen_at, self.chat_etag = began, etag
            metrics.sent("talk", len(html.encode()))
            await self.send(text_data=html)

    def _watched(self, since: float) -> tuple[int, frames.Frame] | None:
        """Return the latest frame for anonymous visitors, if it was read after `since`."""
        began, found = _watching.get((self.code, self.language)) or (-inf, None)
        if began < since or found is None or self.scope["user"].pk is not None:
            return None
        self.viewer = (None, self.language)
        return found

    @database_sync_to_async
    def _render(self, seen: int) -> tuple[int, frames.Frame | None] | None:
        """Render this page and record the viewer's presence.

        Returns the game's version with the frame, which is None if that version is `seen`. Returns
        None if there is no game.
        """
        began = monotonic()
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
        is_shared = self.scope["user"].pk is None and self.viewer is not None
        if game.seq == seen and not is_shared:
            return seen, None
        with translation.override(self.language):
            frame = frames.frame(game, number, user=self.scope["user"])
        if is_shared:
            _watching.keep((self.code, self.language), began, (game.seq, frame))
        return game.seq, frame


# Frames for visitors of games that have begun, by table and language. Their version in this cache
# is the time at which they were read, by time.monotonic.
_watching: VersionedLRU[tuple[int, frames.Frame]] = VersionedLRU(most=500, name="watching")
_answer = database_sync_to_async(moves.answer)


class BoardConsumer(GameConsumer):
    """One table on a big screen: always a spectator, with reactions but without chat."""

    has_chat = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await super().__call__({**scope, "user": AnonymousUser()}, receive, send)

    async def move(self, said: str) -> None:
        """Ignore moves, which this page does not offer."""


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
    if not open_pages.is_in_view(code, person):  # for example in another tab of this browser
        presence.went_away(code, person, now=timezone.now())


async def _moved(sockets: Collection[GameConsumer], message: Message) -> None:
    behind = [socket for socket in sockets if socket.seq < message["seq"]]
    await _send_frames(behind, seq=message["seq"])


async def _talked(sockets: Collection[GameConsumer], message: Message) -> None:
    await _send_chat(list(sockets), since=monotonic())


async def _look_again(sockets: Collection[GameConsumer], message: Message) -> None:
    """Send what is new after a gap between processes, in which messages may have been lost."""
    for first in list(sockets)[:1]:
        await first._refresh_table(since=inf)
        behind = [socket for socket in sockets if socket.seq < first.seq]
        await _send_frames(behind, seq=first.seq)
    await _send_chat(list(sockets), since=monotonic())


GameConsumer.handlers = {
    "game.moved": closing_on_error(_moved),
    "game.talked": closing_on_error(_talked),
    LOOK_AGAIN: closing_on_error(_look_again),
}


async def _send_frames(behind: Collection[GameConsumer], *, seq: int) -> None:
    """Send the game at `seq` or later to sockets that are behind; known viewers share one read.

    Players are sent theirs first, because many spectators take a while.
    """
    known = [(socket.viewer, socket) for socket in behind if socket.viewer is not None]
    if known:
        viewers = {viewer: socket.own for viewer, socket in known}
        rendered = await _render_for(known[0][1].code, viewers, seq=seq)
        known.sort(key=lambda each: each[0][0] is None)
        async for viewer, socket in in_batches(known):
            socket.own = None if viewer[0] is None else rendered.own[viewer[0]]
            await socket.send_frame(rendered.seq, rendered.frames[viewer])
    for socket in behind:
        if socket.viewer is None:
            await socket._refresh_table(since=inf)


_render_for = database_sync_to_async(frames.render_for)


async def in_batches(items: Iterable[Item]) -> AsyncIterator[Item]:
    """Yield the items, letting other tasks of the event loop run after each batch."""
    for count, item in enumerate(items, start=1):
        yield item
        if not count % FRAMES_PER_BATCH:
            await asyncio.sleep(0)


async def _send_chat(sockets: Sequence[GameConsumer], *, since: float) -> None:
    """Send the chat to these sockets of one table, or only the reactions to big screens.

    A cached rendering is used if it began after `since`.
    """
    if boards := [socket for socket in sockets if not socket.has_chat]:
        began = monotonic()
        html = await _render_reactions(boards[0].code, since=since)
        async for socket in in_batches(boards):
            await socket.send_chat(began, html)
    if sockets := [socket for socket in sockets if socket.has_chat]:
        began, code = monotonic(), sockets[0].code
        readers = [(socket.scope["user"].pk, socket.language) for socket in sockets]
        chats = rendering.cached_for(code, readers, since=since)
        if chats is None:
            chats = await _render_chat(code, readers, since=since)
        async for socket, html in in_batches(zip(sockets, chats, strict=True)):
            await socket.send_chat(began, html)


_render_chat = database_sync_to_async(rendering.render_for)
_render_reactions = database_sync_to_async(rendering.reactions_of)
