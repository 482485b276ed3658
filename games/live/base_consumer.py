"""Base class of all consumers: subscribing before the first render, heartbeats, session checks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from math import inf
from random import uniform
from time import monotonic
from typing import Any, Final
from urllib.parse import parse_qs

from autobahn.exception import Disconnected
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import timezone

from games import metrics, page_identity, regional_formats
from games.core.numbers import whole_number
from games.live import fanout, moves, signed_in
from games.live.fair_queue import LOOKS
from games.live.fanout import Message
from games.live.memory_layer import LOOK_AGAIN
from games.live.outage_handling import CLOSE_INTERNAL_ERROR, closing_on_error
from games.lobby.matching import head
from games.play import announce
from games.social.friends import presence
from games.table.common import milliseconds
from games.table.frames import Frame

# How often a socket checks for missed messages: a channel layer may drop a message, or a whole
# membership, without notice.
HEARTBEAT_SECONDS = 25
# The server answers PING at once, which shows that the connection is alive, and LOOK with the whole
# state. HIDDEN and SHOWN report whether the page is in view and get no answer.
PING, LOOK = "ping", "look"
HIDDEN, SHOWN = "hidden", "shown"
# Close codes after which the browser does not reconnect. After CLOSE_SIGNED_OUT it reloads its page
# with its reader's present rights; after CLOSE_INTERNAL_ERROR and all others it reconnects.
CLOSE_SIGNED_OUT, CLOSE_NOT_FOUND = 4401, 4404

# The extension of the ASGI scope with which our server process accepts a frame in parts and sends
# it directly, without passing through any middleware.
PARTS: Final = "frame.parts"

# After a rate limit on looks of a person or an address, each socket retries after this time.
REFUSED_SECONDS = 1.0

logger = logging.getLogger(__name__)


class BaseConsumer(AsyncWebsocketConsumer):
    """A consumer that subscribes to its group first, then sends the current state.

    With this order, no change between the two is missed.
    """

    kind: str  # a label of the metrics
    group: str
    handlers: fanout.Handlers  # for messages to the group, by type; wrapped in `closing_on_error`
    language: str
    coalesce_seconds = 0.0  # messages that arrive within this time are handled as one
    is_subscribed = False
    subscribed_at = -inf  # by time.monotonic
    is_current = False  # the first state has been sent to the page
    is_in_view = True
    wants_look = False  # the latest unanswered request of each kind
    wants_view: bool | None = None
    attending: asyncio.Task[None] | None = None
    inbox_seq = 0  # the version of the person's inbox that the page shows
    here = ""  # the code of the table that the page shows
    heartbeat_seconds: float | None = None  # None: HEARTBEAT_SECONDS
    heartbeat: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection; replaces Channels' own loop.

        There is no channel for each socket (see `fanout`). A client that disconnects during
        admission is dropped at once, since a reconnect storm would otherwise cost two renders each.
        """
        self.scope, self.base_send = scope, send
        await receive()  # the handshake
        connecting = asyncio.create_task(self.connect())
        disconnecting = asyncio.create_task(self._answer_until_disconnected(receive))
        try:
            await asyncio.wait((connecting, disconnecting), return_when=asyncio.FIRST_COMPLETED)
            if connecting.done():
                connecting.result()  # raises its error, which ends the socket
                await disconnecting
        finally:
            for task in (connecting, disconnecting):
                task.cancel()
            await asyncio.gather(connecting, disconnecting, return_exceptions=True)
            await self._unsubscribe()

    async def connect(self) -> None:
        """Accept the handshake, subscribe and send the first render after admission.

        A process that is about to stop renders nothing new, and soon closes the socket.
        """
        query = parse_qs(self.scope["query_string"].decode("latin-1"), keep_blank_values=True)
        self.language = regional_formats.language_of(query.get("lang", [""])[0])
        await self.accept()
        if page_identity.is_another(query.get("as"), self.scope["user"], self.scope["session"]):
            await self.close(CLOSE_SIGNED_OUT)
            return
        async with self.turn():
            if fanout.is_paused():
                return
            self.is_in_view = "hidden" not in query
            self.inbox_seq = version(query.get("told")) or 0
            if not self.prepare(query):
                await self.close(CLOSE_NOT_FOUND)
                return
            self.is_subscribed = True
            metrics.sockets.labels(self.kind).inc()
            for group, handlers in self._groups().items():
                seconds = self.coalesce_seconds if group == self.group else 0.0
                await fanout.join(group, self, handlers, coalesce_seconds=seconds)
        self.subscribed_at = monotonic()
        self.heartbeat = asyncio.create_task(self._run_heartbeat())
        await self._check()
        self.is_current = True

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Return a turn of this socket's user on the games thread (see `FairQueue`)."""
        return LOOKS().turn(self.scope["address"], self.scope["user"].pk)

    async def _answer_until_disconnected(
        self, receive: Callable[[], Awaitable[dict[str, Any]]]
    ) -> None:
        """Receive and answer messages of the page until it disconnects.

        PING and LOOK are answered only after the page has the current state. An earlier answer
        would tell a page with an old state that it is current.
        """
        while (message := await receive())["type"] != "websocket.disconnect":
            said = message.get("text")
            try:
                if not self.is_subscribed:  # refused, or not admitted yet
                    continue
                if said and said.startswith(moves.MOVE):
                    await self.move(said)
                elif said in (HIDDEN, SHOWN):
                    self.wants_view = said == SHOWN
                    self._attend_soon()
                elif not self.is_current or fanout.is_paused():
                    continue
                elif said == PING:
                    await self.send(text_data="")
                elif said == LOOK:
                    self.wants_look = True
                    self._attend_soon()
            except Exception:
                await self._fail("refresh")

    def _attend_soon(self) -> None:
        """Start handling the page's requests one by one, unless that is already running."""
        if self.attending is None or self.attending.done():
            self.attending = asyncio.create_task(self._attend())

    async def _attend(self) -> None:
        try:
            while self.wants_look or self.wants_view is not None:
                while not self.scope["allow_look"]():
                    await asyncio.sleep(REFUSED_SECONDS * uniform(0.5, 1.5))  # noqa: S311
                view, self.wants_view = self.wants_view, None
                if view is not None:
                    async with self.turn():
                        await self.set_in_view(view)
                look, self.wants_look = self.wants_look, False
                if look:
                    self.forget()
                    await self._check()
        except Exception:
            await self._fail("refresh")

    async def _fail(self, what: str) -> None:
        """Log an error and close the socket, so that its page reconnects."""
        logger.exception("websocket %s failed group=%s", what, self.group)
        await self.close(CLOSE_INTERNAL_ERROR)

    async def _unsubscribe(self) -> None:
        if not self.is_subscribed:
            return
        metrics.sockets.labels(self.kind).dec()
        for task in filter(None, (self.heartbeat, self.attending)):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for group in self._groups():
            await fanout.leave(group, self)
        await self.set_in_view(False)

    def _groups(self) -> dict[str, fanout.Handlers]:
        """Return the groups of this socket (its own and its user's) with their handlers."""
        person = self.scope["user"].pk
        own = {self.group: self.handlers}
        return own if person is None else own | {announce.person(person): PERSON_HANDLERS}

    async def send(self, *args: Any, **kwargs: Any) -> None:
        """Send a frame; does nothing if the client has just disconnected.

        Each frame ends with the server's time in milliseconds, because its deadlines are in server
        time and the page counts down with its own timer. Fragments are cached; this stamp is not.
        """
        if "text_data" in kwargs:
            kwargs["text_data"] += _stamp()
        with suppress(Disconnected):
            await super().send(*args, **kwargs)

    async def send_parts(self, frame: Frame, **packing: object) -> None:
        """Send a frame, in parts if the server supports it (see `WebSocket.send_parts`)."""
        server = self.scope.get("extensions", {}).get(PARTS)
        if server is None:
            await self.send(text_data=frame.html)
        else:
            server["send"](*frame.encoded, _stamp().encode(), **packing)

    def prepare(self, query: dict[str, list[str]]) -> bool:
        """Read from the URL which group to subscribe to, and what the page already shows.

        Returns False if no such group can exist; `refresh` checks whether it does exist.
        """
        return True

    async def refresh(self) -> bool:
        """Send the current state unless the page already shows it; False if there is none."""
        raise NotImplementedError

    def forget(self) -> None:
        """Reset what the page shows, so that the next `refresh` sends everything."""

    async def move(self, said: str) -> None:
        """Make and answer a move (see `moves`); only the page of a table sends moves."""

    async def set_in_view(self, is_in_view: bool) -> None:
        """Record whether the page is in view."""
        self.is_in_view = is_in_view

    async def refresh_inbox(self) -> None:
        """Send the badge and the notice of the user's inbox, unless the page shows them."""
        if (person := self.scope["user"].pk) is not None:
            await _send_inbox([self], person)

    @property
    def place(self) -> head.Place:
        """The values on which the head of the page depends."""
        device = page_identity.of(self.scope["user"], self.scope["session"])
        return self.language, self.here, device

    async def _run_heartbeat(self) -> None:
        """Check the session and the state regularly; an error closes the socket."""
        try:
            while True:
                # Jitter, so that sockets opened together do not keep checking together.
                every = self.heartbeat_seconds or HEARTBEAT_SECONDS
                await asyncio.sleep(every * uniform(0.8, 1.2))  # noqa: S311
                if self.scope["user"].pk is not None:
                    async with self.turn():
                        is_still_signed_in = await _is_still_signed_in(self.scope)
                    if not is_still_signed_in:
                        await self.close(CLOSE_SIGNED_OUT)
                        return
                await self._check()
        except Exception:
            await self._fail("heartbeat")

    async def _check(self) -> None:
        person = self.scope["user"].pk
        if person is not None:
            presence.saw(person)
        async with self.turn():
            exists = await self.refresh()
            if exists:
                await self.refresh_inbox()
        if exists:
            # Sent after every check. It confirms that the page is up to date, and a browser that
            # receives nothing for long knows that its connection is dead.
            await self.send(text_data="")
        else:
            await self.close(CLOSE_NOT_FOUND)


def _stamp() -> str:
    return f"<!-- now {milliseconds(timezone.now())} -->"


async def _check_sessions(sockets: Collection[BaseConsumer], message: Message) -> None:
    """Close those sockets of a user whose session has ended; a user may have several sessions."""
    for socket in sockets:
        if not await _is_still_signed_in(socket.scope):
            await socket.close(CLOSE_SIGNED_OUT)


async def _tell(sockets: Collection[BaseConsumer], message: Message) -> None:
    """Send a user's inbox to their pages; pages without a first state will read it with that."""
    behind = [each for each in sockets if each.is_current and each.inbox_seq < message["seq"]]
    if behind:
        await _send_inbox(behind, behind[0].scope["user"].pk)


async def _look_again(sockets: Collection[BaseConsumer], message: Message) -> None:
    await _check_sessions(sockets, message)
    if current := [socket for socket in sockets if socket.is_current]:
        await _send_inbox(current, current[0].scope["user"].pk)


async def _send_inbox(sockets: Collection[BaseConsumer], person: int) -> None:
    """Send the inbox of one user to those of their sockets that do not show it yet."""
    shown = {socket: socket.inbox_seq for socket in sockets}
    pages = {socket.place for socket in sockets}
    found = await _render_inbox(person, min(shown.values()), pages)
    if found is None:
        return
    seq, fragments = found
    for socket in sockets:
        claims_too_much = socket.inbox_seq == shown[socket] > seq  # a version that never existed
        if socket.inbox_seq < seq or claims_too_much:
            socket.inbox_seq = seq
            html = fragments[socket.place]
            metrics.sent("inbox", len(html.encode()))
            await socket.send(text_data=html)


_render_inbox = database_sync_to_async(head.render_for)


def version(given: Sequence[str] | None) -> int | None:
    """Parse the version that a page reports to show; None if it reports none."""
    return whole_number(given[0] if given else "", digits=9)


@database_sync_to_async
def _is_still_signed_in(scope: dict[str, Any]) -> bool:
    return signed_in.is_still(scope, now=timezone.now())


# Handlers that every socket of a user has in addition to those of its own group.
PERSON_HANDLERS: Final[fanout.Handlers] = {
    "person.left": closing_on_error(_check_sessions),
    "person.told": closing_on_error(_tell),
    LOOK_AGAIN: closing_on_error(_look_again),
}
