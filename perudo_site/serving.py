"""The server process: daphne and the clock in one loop, and a clean end.

Told to stop, plain daphne drops the answers of requests that have changed something already, and
its sockets see the line break. This server takes no new connection, lets the requests under way
finish, closes every socket with a code after which browsers come back, and only then ends. Where
other processes go on, it closes one socket after the other: they let a few in at a time, and who
has not been sent to them yet still hears his table here. Each step has a limit, and so has the
whole (`shutdown`).
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any, Final

# First: it installs the reactor that everything else of Twisted finds.
from daphne.server import Server  # isort: skip
from channels.layers import get_channel_layer
from daphne.endpoints import build_endpoint_description_strings
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from twisted.internet import defer, error
from twisted.python import failure

from games import clock
from perudo_site import backpressure, pulse, shutdown, websocket
from perudo_site.channel import Channel
from perudo_site.requests import Request

# “Service restart” (RFC 6455 and its registry): the browser comes back at once.
RESTARTING: Final = 1012
# How long each step of the end may take, of 45 seconds in all: the clock and the requests, the
# closing of the sockets, of those that came meanwhile, their answers, what else runs, Redis, and
# what had to be cancelled.
REQUESTS_SECONDS: Final = 10.0
CLOSING_SECONDS: Final = 20.0
LATE_SECONDS: Final = 2.0
SOCKETS_SECONDS: Final = 5.0
APPLICATIONS_SECONDS: Final = 3.0
LAST_WORDS_SECONDS: Final = 2.0
CANCELLED_SECONDS: Final = 1.0
# From one farewell to the next: the time in which another process lets somebody in with ease.
APART_SECONDS: Final = 0.05
# How many may wait at the door; the system's own limit (net.core.somaxconn) may be lower.
WAITING: Final = 4096

logger = logging.getLogger(__name__)


class PatientServer(Server):
    """daphne that winds the clock before the first visitor, and drains when it is told to stop."""

    def __init__(
        self, application: Any, *, begin: Callable[[], None], host: str, port: int
    ) -> None:
        super().__init__(
            application=application,
            endpoints=[
                # After a restart everybody comes back at once: nobody has to knock twice.
                f"{endpoint}:backlog={WAITING}"
                for endpoint in build_endpoint_description_strings(host=host, port=port)
            ],
            signal_handlers=False,  # its own end at once
            ping_interval=websocket.PING_SECONDS,
            ping_timeout=websocket.PONG_SECONDS,
            websocket_max_message_size=websocket.LONGEST_FRAME,
            websocket_max_frame_size=websocket.LONGEST_FRAME,
            ready_callable=self._ready,
            server_name="",
            verbosity=0,
        )
        self.begin = begin
        self.listening: list[Any] = []
        self.ending: asyncio.Task[None] | None = None

    def _ready(self) -> None:
        loop = asyncio.get_event_loop()
        for one in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(one, self._told_to_end)
        loop.call_soon(self.begin)  # once it runs
        self.ws_factory.protocol = websocket.Socket
        # Only a pong shows that a client reads; autobahn would be content with anything it sends.
        self.ws_factory.autoPingRestartOnAnyTraffic = False
        self.http_factory.protocol = Channel  # type: ignore[assignment]  # HTTP/1.1 only
        self.http_factory.timeOut = settings.REQUEST_SECONDS
        build = self.http_factory.buildProtocol

        def with_our_requests(address: Any) -> Any:
            protocol = build(address)
            protocol.requestFactory = Request
            return protocol

        self.http_factory.buildProtocol = with_our_requests  # type: ignore[method-assign]

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self.listening.append(port)

    def listen_error(self, failure: Any) -> None:
        logger.critical("the site cannot listen: %s", failure.getErrorMessage())
        self.stop()
        self.abort_start = True

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Write a part of an answer, and wait until the client has room for the next one."""
        if not isinstance(protocol, Request):
            return await super().handle_reply(protocol, message)
        backpressure.expect_more(protocol, message)
        await super().handle_reply(protocol, message)
        await backpressure.drained(protocol)

    # --- the end ---------------------------------------------------------------------------------

    def _told_to_end(self) -> None:
        if self.ending is None:
            self.ending = asyncio.get_running_loop().create_task(self._end())

    async def _end(self) -> None:
        logger.info("the site ends; requests under way are finished first")
        shutdown.end_at_the_latest(settings.SHUTDOWN_SECONDS)
        try:
            pulse.end()
            get_channel_layer().ends = True
            for port in self.listening:  # from now on a proxy turns to another process
                _close_the_door(port)
            await self._within(REQUESTS_SECONDS, self._finish_requests(), "requests")
            await self._send_away(within=_share(CLOSING_SECONDS))
            # Who came meanwhile, by a line that was open already.
            await self._send_away(within=_share(LATE_SECONDS))
            await _until(lambda: not self._under_way(WebSocketProtocol, Request), SOCKETS_SECONDS)
            await _until(lambda: not self._applications(), APPLICATIONS_SECONDS)
            # Other processes still hear of the last moves.
            await self._within(LAST_WORDS_SECONDS, get_channel_layer().close(), "channel layer")
        except Exception:
            logger.exception("the end was not a clean one")
        self.stop()

    async def _within(self, seconds: float, step: Awaitable[None], name: str) -> None:
        """Do this step of the end, or give it up: what it leaves behind is not waited for."""
        doing, patience = asyncio.ensure_future(step), _share(seconds)
        done, _ = await asyncio.wait((doing,), timeout=patience)
        if done:
            doing.result()
        else:
            doing.cancel()
            logger.error("shutdown step given up step=%s seconds=%.1f", name, patience)

    async def _finish_requests(self) -> None:
        await clock.stop()
        await _until(lambda: not self._under_way(Request), inf)

    async def _send_away(self, *, within: float) -> None:
        sockets = self._under_way(WebSocketProtocol)
        sockets = [one for one in sockets if one.state == WebSocketProtocol.STATE_OPEN]
        for socket in sockets:
            socket.serverClose(code=RESTARTING)
            if get_channel_layer().has_company():
                await asyncio.sleep(min(APART_SECONDS, within / len(sockets)))

    def _under_way(self, *kinds: type) -> list[Any]:
        """The requests that still owe an answer, or the sockets that are still open."""
        return [
            protocol
            for protocol, details in self.connections.items()
            if isinstance(protocol, kinds)
            and "application_instance" in details
            and "disconnected" not in details
        ]

    def _applications(self) -> list[asyncio.Future[None]]:
        running = (each.get("application_instance") for each in self.connections.values())
        return [one for one in running if one is not None and not one.done()]

    def kill_all_applications(self) -> Any:
        """What is left after all patience; daphne's own fails on a connection without one."""
        left = self._applications()
        for one in left:
            one.cancel()
        # One whose thread hangs is not done for all that.
        gone = _until(lambda: all(one.done() for one in left), CANCELLED_SECONDS)
        return defer.Deferred.fromFuture(asyncio.ensure_future(gone))


def _close_the_door(port: Any) -> None:
    """Take in who has knocked already, and close in the same moment.

    The system says yes to a connection before we accept it, and cuts it off when the port closes:
    a proxy that has sent a form by then could not know whether to send it again.
    """
    port.stopReading()
    port.numberAccepts = WAITING
    port.doRead()
    port.connectionLost(failure.Failure(error.ConnectionDone()))


def _share(seconds: float) -> float:
    return shutdown.share(seconds, of=settings.SHUTDOWN_SECONDS)


async def _until(true: Callable[[], bool], seconds: float) -> None:
    """Wait until it is true, or until the share of so many seconds is over."""
    loop = asyncio.get_running_loop()
    patience = loop.time() + _share(seconds)
    while not true() and loop.time() < patience:
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.02)  # what was written last is on the wire
