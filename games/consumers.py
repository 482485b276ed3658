"""Sockets: they listen for a number, look at what is true, and forward one frame."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from math import inf
from time import monotonic
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from django.utils import timezone, translation

from games import metrics, presence, push, screens, skip, tables
from games.listener import Listener
from games.log import Own
from games.models import LONGEST_CODE, Game
from games.screens import talk

# Several changes of the lobby within this time make one frame.
LOBBY_PAUSE_SECONDS = 0.3
# After so many frames in a row others get a turn on the loop.
_FRAMES_AT_ONCE = 50

Item = TypeVar("Item")


class GameConsumer(Listener):
    """One screen of one table: a seat's, or a spectator's."""

    kind = "table"
    seq = -1
    heard = ""  # the mark of the talk this screen shows
    overheard = -inf  # since when that was looked at
    looked: float | None = None  # when it last looked by itself
    # Who looks, once that is for certain: at an open table seats come and go.
    viewer: screens.Viewer | None = None
    own: Own | None = None  # what this seat alone was told, and nobody else's

    def prepare(self, query: dict[str, list[str]]) -> bool:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self.group = push.group(self.code)
        seen = query.get("seen", [""])[0]
        if seen.isascii() and seen.isdigit() and len(seen) < 10:
            self.seq = int(seen)
        self.heard = query.get("heard", [""])[0]
        return len(self.code) <= LONGEST_CODE  # what is longer is no name of a group

    @classmethod
    async def hear(cls, listeners: Collection[GameConsumer], message: dict[str, Any]) -> None:
        match message["type"]:
            case "game.moved":
                behind = [one for one in listeners if one.seq < message["seq"]]
                await _show_all(behind, seq=message["seq"])
            case "game.talked":
                await _let_overhear(list(listeners), since=monotonic())
            case "look.again":  # processes did not hear each other: something may be missed
                for one in list(listeners)[:1]:
                    await one._look()
                    behind = [each for each in listeners if each.seq < one.seq]
                    await _show_all(behind, seq=one.seq)
                await _let_overhear(list(listeners), since=monotonic())

    async def look(self) -> bool:
        if not await self._look():
            return False
        # At a beat, what others have rendered since the last one is new enough.
        now = monotonic()
        await _let_overhear([self], since=self.looked or now)
        self.looked = now
        return True

    async def _look(self) -> bool:
        """Send what is in the database, unless this screen has it; False when there is nothing."""
        seen = self.seq
        found = await self._see(seen)
        if found is None:
            return False
        seq, html = found
        if self.seq == seen > seq:
            self.seq = -1  # a number this game has never had
        await self.show(seq, html)
        return True

    async def show(self, seq: int, html: str) -> None:
        """Send a frame, unless this screen shows a newer one by now."""
        if seq > self.seq:
            self.seq = seq
            metrics.sent("table", html)
            await self.send(text_data=html)

    async def overhear(self, began: float, html: str) -> None:
        """Send the talk as it was looked at since `began`, unless this screen shows a newer one."""
        if began >= self.overheard and (mark := talk.mark(html)) != self.heard:
            self.overheard, self.heard = began, mark
            metrics.sent("talk", html)
            await self.send(text_data=html)

    @database_sync_to_async
    def _see(self, seen: int) -> tuple[int, str] | None:
        """The game's number, and this screen's frame: "" where that number is `seen` already."""
        game = Game.objects.filter(code=self.code).first()
        if game is None:
            return None
        seat = tables.seat_of(game, self.scope["user"])
        number = None if seat is None else seat.number
        if game.status != Game.Status.OPEN:
            self.viewer = (number, self.language)
        presence.sign(game, now=timezone.now())
        skip.sign(game, number, now=timezone.now())
        if game.seq == seen:
            return seen, ""
        with translation.override(self.language):
            return game.seq, screens.frame(game, number, user=self.scope["user"])


async def _show_all(behind: Collection[GameConsumer], *, seq: int) -> None:
    """Show a game to all screens that are behind; one look serves all that know who they are."""
    settled = [(one.viewer, one) for one in behind if one.viewer is not None]
    if settled:
        viewers = {viewer: one.own for viewer, one in settled}
        seen = await _look(settled[0][1].code, viewers, seq=seq)
        # Those who play first: a crowd of spectators takes a while.
        settled.sort(key=lambda each: each[0][0] is None)
        async for viewer, one in _in_turns(settled):
            one.own = None if viewer[0] is None else seen.own[viewer[0]]
            await one.show(seen.seq, seen.frames[viewer])
    for one in behind:
        if one.viewer is None:
            await one._look()


_look = database_sync_to_async(screens.look)


async def _in_turns(crowd: Iterable[Item]) -> AsyncIterator[Item]:
    """One after the other, and every now and then a turn for the rest of the site."""
    for sent, one in enumerate(crowd, start=1):
        yield one
        if not sent % _FRAMES_AT_ONCE:
            await asyncio.sleep(0)


async def _let_overhear(listeners: Sequence[GameConsumer], *, since: float) -> None:
    """Show the talk of their table to all of them; one look serves all."""
    if listeners:
        began = monotonic()
        readers = [(one.scope["user"].pk, one.language) for one in listeners]
        talks = await _talks(listeners[0].code, readers, since=since)
        async for one, html in _in_turns(zip(listeners, talks, strict=True)):
            await one.overhear(began, html)


_talks = database_sync_to_async(talk.read_by)


class LobbyConsumer(Listener):
    """The list of public tables, live."""

    kind = "lobby"
    group = push.LOBBY
    shown = ""
    looked = -inf  # since when that was looked at

    @property
    def pause(self) -> float:  # type: ignore[override]
        return LOBBY_PAUSE_SECONDS

    @classmethod
    async def hear(cls, listeners: Collection[LobbyConsumer], message: dict[str, Any]) -> None:
        began = monotonic()
        lists = {
            one: await _tables(one, since=began) for one in {each.language for each in listeners}
        }
        async for one in _in_turns(listeners):
            await one.show(began, lists[one.language])

    async def look(self) -> bool:
        began = monotonic()
        await self.show(began, await _tables(self.language, since=began))
        return True

    async def show(self, began: float, html: str) -> None:
        """Send the list as it was looked at since `began`, unless this screen has it, or newer."""
        if began >= self.looked and html != self.shown:
            self.looked, self.shown = began, html
            metrics.sent("lobby", html)
            await self.send(text_data=html)


@database_sync_to_async
def _tables(language: str, *, since: float) -> str:
    with translation.override(language):
        return screens.lobby_tables(since=since)
