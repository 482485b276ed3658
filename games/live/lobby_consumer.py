"""Consumer of the lobby, which sends the list of public tables when it has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager, nullcontext
from math import inf
from time import monotonic

from channels.db import database_sync_to_async
from django.utils import translation

from games import metrics
from games.contract import catalogue
from games.live.base_consumer import BaseConsumer
from games.live.consumers import in_batches
from games.live.fanout import Message
from games.live.memory_layer import LOOK_AGAIN
from games.live.outage_handling import closing_on_error
from games.lobby import lobby_frame
from games.play import announce

# Changes of the lobby within this time are combined in one frame.
LOBBY_COALESCE_SECONDS = 0.3


class LobbyConsumer(BaseConsumer):
    """A socket of one lobby page: the public tables of all games or of one."""

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

    async def _check(self) -> None:
        """Send the list before the usual check, so that its waiting time holds no turn."""
        began = monotonic()
        await self.send_list(began, await _tables(self.language, self.kind_key, began, self.turn))
        await super()._check()

    async def refresh(self) -> bool:
        return True

    async def send_list(self, began: float, html: str) -> None:
        """Send the list rendered at `began`, unless the page shows the same or a newer one."""
        if began >= self.shown_at and html != self.shown:
            self.shown_at, self.shown = began, html
            metrics.sent("lobby", len(html.encode()))
            await self.send(text_data=html)


async def _send_lists(sockets: Collection[LobbyConsumer], message: Message) -> None:
    began = monotonic()
    kinds = {(socket.language, socket.kind_key) for socket in sockets}
    lists = {kind: await _tables(*kind, began) for kind in kinds}
    async for socket in in_batches(sockets):
        await socket.send_list(began, lists[socket.language, socket.kind_key])


LobbyConsumer.handlers = dict.fromkeys(("lobby.changed", LOOK_AGAIN), closing_on_error(_send_lists))


async def _tables(
    language: str,
    kind_key: str,
    since: float,
    turn: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
) -> str:
    """Return the list, rendered after `since`; requests within a second wait and share one."""
    while True:
        with translation.override(language):
            wait = lobby_frame.seconds_until_lobby(kind_key, since=since)
        if wait:
            await asyncio.sleep(wait)
            continue
        async with turn():
            with translation.override(language):
                if lobby_frame.seconds_until_lobby(kind_key, since=since):
                    continue
                html: str | None = lobby_frame.rendered_lobby(kind_key, since=since)
            html = html or await _rendered_tables(language, kind_key, since)
        if html is not None:
            return html


@database_sync_to_async
def _rendered_tables(language: str, kind_key: str, since: float) -> str | None:
    with translation.override(language):
        return lobby_frame.lobby_in_time(kind_key, since=since)
