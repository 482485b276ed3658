"""What all consumers share: subscribe before the first render, heartbeats, and session checks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from random import uniform
from typing import Any, Final
from urllib.parse import parse_qs
from weakref import WeakKeyDictionary

from autobahn.exception import Disconnected
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import timezone

from games import metrics, page_identity, regional_formats
from games.friends import presence
from games.live import fanout, moves, signed_in
from games.live.memory_layer import LOOK_AGAIN
from games.live.outage_handling import CLOSE_INTERNAL_ERROR
from games.matching import head
from games.play import announce
from games.rendering.common import milliseconds
from games.rendering.frames import Frame

# How often a socket checks by itself whether it missed something: a channel layer may drop a
# message, or a whole membership, without notice.
HEARTBEAT_SECONDS = 25
# Asked PING, the server answers at once, which says that the connection lives; asked LOOK, with the
# whole state besides. A page says whether it is in view, and is not answered.
PING, LOOK = "ping", "look"
HIDDEN, SHOWN = "hidden", "shown"
# Close codes after which the browser does not reconnect. After CLOSE_SIGNED_OUT it loads its page
# again, as what its reader may do now; after CLOSE_INTERNAL_ERROR and all others it reconnects.
CLOSE_SIGNED_OUT, CLOSE_NOT_FOUND = 4401, 4404

# The extension of the ASGI scope by which our server process takes a frame in parts and sends it at
# once: no middleware has anything to do with it.
PARTS: Final = "frame.parts"

# Maximum concurrent first renders, so that a reconnect storm does not delay running games.
MAX_CONCURRENT_FIRST_RENDERS = 8
_first_renders: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
    WeakKeyDictionary()
)

logger = logging.getLogger(__name__)


class BaseConsumer(AsyncWebsocketConsumer):
    """A consumer that subscribes to its group first, then sends the current state.

    In this order no change is missed between the two.
    """

    kind: str  # a label of the metrics
    group: str
    handlers: fanout.Handlers  # of the messages to the group, by type; `closing_on_error` each
    language: str
    coalesce_seconds = 0.0  # messages that arrive within this time are handled as one
    is_subscribed = False
    is_current = False  # the page has been sent the state of its time
    is_in_view = True
    inbox_seq = 0  # the version of the person's inbox that the page shows
    here = ""  # the code of the table that the page shows
    heartbeat_seconds: float | None = None  # None: HEARTBEAT_SECONDS
    heartbeat: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection; replaces Channels' own loop.

        There is no channel for each socket (see `fanout`). A client that disconnects during
        admission is dropped at once: in a reconnect storm it would be rendered for twice.
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
        """Accept the handshake, subscribe and send the first render, when it is admitted.

        A process that is about to stop renders nothing new: it closes the socket in a moment.
        """
        query = parse_qs(self.scope["query_string"].decode("latin-1"), keep_blank_values=True)
        self.language = regional_formats.language_of(query.get("lang", [""])[0])
        await self.accept()
        if page_identity.is_another(query.get("as"), self.scope["user"], self.scope["session"]):
            await self.close(CLOSE_SIGNED_OUT)
            return
        async with _admission():
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
            self.heartbeat = asyncio.create_task(self._run_heartbeat())
            await self._check()
            self.is_current = True

    async def _answer_until_disconnected(
        self, receive: Callable[[], Awaitable[dict[str, Any]]]
    ) -> None:
        """Answer a page that asks whether its connection lives, once it has the current state.

        An answer sooner than that would say of a page with an old state that it is current.
        """
        while (message := await receive())["type"] != "websocket.disconnect":
            said = message.get("text")
            try:
                if not self.is_subscribed:  # refused, or not admitted yet
                    continue
                if said in (HIDDEN, SHOWN):
                    await self.set_in_view(said == SHOWN)
                elif said and said.startswith(moves.MOVE):
                    await self.move(said)
                if not self.is_current or fanout.is_paused():
                    continue
                if said == PING:
                    await self.send(text_data="")
                elif said == LOOK:
                    self.forget()
                    await self._check()
            except Exception:
                logger.exception("websocket refresh failed group=%s", self.group)
                await self.close(CLOSE_INTERNAL_ERROR)

    async def _unsubscribe(self) -> None:
        if not self.is_subscribed:
            return
        metrics.sockets.labels(self.kind).dec()
        if self.heartbeat is not None:
            self.heartbeat.cancel()
            with suppress(asyncio.CancelledError):
                await self.heartbeat
        for group in self._groups():
            await fanout.leave(group, self)
        await self.set_in_view(False)

    def _groups(self) -> dict[str, fanout.Handlers]:
        """The groups of this socket: its own, and that of its person, with what it hears there."""
        person = self.scope["user"].pk
        own = {self.group: self.handlers}
        return own if person is None else own | {announce.person(person): PERSON_HANDLERS}

    async def send(self, *args: Any, **kwargs: Any) -> None:
        """Send a frame; does nothing when the client has just disconnected.

        Each ends with the server's time in milliseconds: frames name moments of the server's
        clock, and a page counts to them by a timer of its own. Fragments are cached, this is not.
        """
        if "text_data" in kwargs:
            kwargs["text_data"] += _stamp()
        with suppress(Disconnected):
            await super().send(*args, **kwargs)

    async def send_parts(self, frame: Frame, **packing: Any) -> None:
        """Send a frame, part by part where the server can: see `WebSocket.send_parts`."""
        server = self.scope.get("extensions", {}).get(PARTS)
        if server is None:
            await self.send(text_data=frame.html)
        else:
            server["send"](*frame.encoded, _stamp().encode(), **packing)

    def prepare(self, query: dict[str, list[str]]) -> bool:
        """Read from the URL which group to subscribe to, and what the page shows already.

        False when no such group can exist; whether it does, `refresh` finds out.
        """
        return True

    async def refresh(self) -> bool:
        """Send the current state unless the page shows it already; False when there is none."""
        raise NotImplementedError

    def forget(self) -> None:
        """Forget what the page shows, so that the next `refresh` sends it all."""

    async def move(self, said: str) -> None:
        """Answer a move; see `moves`. Only the page of a table makes any."""

    async def set_in_view(self, is_in_view: bool) -> None:
        """Note whether the page is in view."""
        self.is_in_view = is_in_view

    async def refresh_inbox(self) -> None:
        """Send the badge and the notice of the person's inbox, unless the page shows them."""
        if (person := self.scope["user"].pk) is not None:
            await _send_inbox([self], person)

    @property
    def place(self) -> head.Place:
        """What the head of the page depends on."""
        device = page_identity.of(self.scope["user"], self.scope["session"])
        return self.language, self.here, device

    async def _run_heartbeat(self) -> None:
        """Check the session and the state regularly; an error closes the socket."""
        try:
            while True:
                # Spread out, so that sockets opened together do not check together for ever.
                every = self.heartbeat_seconds or HEARTBEAT_SECONDS
                await asyncio.sleep(every * uniform(0.8, 1.2))  # noqa: S311
                if not await _is_still_signed_in(self.scope):
                    await self.close(CLOSE_SIGNED_OUT)
                    return
                await self._check()
        except Exception:
            logger.exception("websocket heartbeat failed group=%s", self.group)
            await self.close(CLOSE_INTERNAL_ERROR)

    async def _check(self) -> None:
        person = self.scope["user"].pk
        if person is not None:
            presence.saw(person)
        if await self.refresh():
            await self.refresh_inbox()
            # Sent after every check: a page that was sent nothing else is up to date, and a browser
            # that receives nothing for long knows that its connection is dead.
            await self.send(text_data="")
        else:
            await self.close(CLOSE_NOT_FOUND)


def _stamp() -> str:
    return f"<!-- now {milliseconds(timezone.now())} -->"


def _admission() -> asyncio.Semaphore:
    """The semaphore of first renders in the running event loop."""
    return _first_renders.setdefault(
        asyncio.get_running_loop(), asyncio.Semaphore(MAX_CONCURRENT_FIRST_RENDERS)
    )


def closing_on_error(handler: fanout.Handler) -> fanout.Handler:
    """Close the sockets when their handler fails: browsers reconnect and get the new state."""

    async def handle(sockets: Collection[BaseConsumer], message: dict[str, Any]) -> None:
        try:
            await handler(sockets, message)
        except Exception:
            for socket in sockets:
                await socket.close(CLOSE_INTERNAL_ERROR)
            raise

    return handle


async def _check_sessions(sockets: Collection[BaseConsumer], message: dict[str, Any]) -> None:
    """Close the sockets of a person whose session has ended; there may be several sessions."""
    for socket in sockets:
        if not await _is_still_signed_in(socket.scope):
            await socket.close(CLOSE_SIGNED_OUT)


async def _tell(sockets: Collection[BaseConsumer], message: dict[str, Any]) -> None:
    """Send a person's inbox to their pages; one that is not current yet looks at it in a moment."""
    behind = [each for each in sockets if each.is_current and each.inbox_seq < message["seq"]]
    if behind:
        await _send_inbox(behind, behind[0].scope["user"].pk)


async def _look_again(sockets: Collection[BaseConsumer], message: dict[str, Any]) -> None:
    await _check_sessions(sockets, message)
    if current := [socket for socket in sockets if socket.is_current]:
        await _send_inbox(current, current[0].scope["user"].pk)


async def _send_inbox(sockets: Collection[BaseConsumer], person: int) -> None:
    """Send their inbox to these sockets of one person, as far as they do not show it."""
    shown = {socket: socket.inbox_seq for socket in sockets}
    pages = {socket.place for socket in sockets}
    found = await _render_inbox(person, min(shown.values()), pages)
    if found is None:
        return
    seq, fragments = found
    for socket in sockets:
        claims_too_much = socket.inbox_seq == shown[socket] > seq  # a version that never was
        if socket.inbox_seq < seq or claims_too_much:
            socket.inbox_seq = seq
            html = fragments[socket.place]
            metrics.sent("inbox", len(html.encode()))
            await socket.send(text_data=html)


_render_inbox = database_sync_to_async(head.render_for)


def version(given: Sequence[str] | None) -> int | None:
    """The version that a page says it shows; None if it says none."""
    text = given[0] if given else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@database_sync_to_async
def _is_still_signed_in(scope: dict[str, Any]) -> bool:
    return signed_in.is_still(scope, now=timezone.now())


# What every socket of a person hears of besides the messages to its own group.
PERSON_HANDLERS: Final[fanout.Handlers] = {
    "person.left": closing_on_error(_check_sessions),
    "person.told": closing_on_error(_tell),
    LOOK_AGAIN: closing_on_error(_look_again),
}
