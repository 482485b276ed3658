"""The server process: daphne and the scheduler in one event loop, with a graceful shutdown.

On SIGTERM plain daphne drops the responses of requests that have already changed something, and
cuts off its sockets. This server stops listening, finishes the requests in progress before it
sends another frame, closes every socket with a code after which browsers reconnect, and only then
exits. If other processes are running, it closes the sockets one by one: the others admit a few at a
time, and clients that are still connected get updates here. Each step has a timeout, and so has the
whole shutdown (`shutdown`).
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any, Final

# Imported first: it installs the reactor that all other Twisted modules use.
from daphne.server import Server  # isort: skip
from channels.layers import get_channel_layer
from daphne.endpoints import build_endpoint_description_strings
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from twisted.internet import error
from twisted.python import failure

from games.live import fanout, moves
from games.live.base_consumer import PARTS
from games.play import scheduler, worker
from perudo_site.ratelimit.local import address_of
from perudo_site.server import backpressure, deflate, health, shutdown, ws_protocol
from perudo_site.server.connections import Connections
from perudo_site.server.http_protocol import Channel, Request

# “Service restart” (RFC 6455 and its registry): the browser reconnects at once.
CLOSE_SERVICE_RESTART: Final = 1012
# The timeouts of the shutdown steps, within 45 seconds in all: the scheduler and the requests,
# frames with their changes, closing the sockets, closing sockets opened meanwhile, their close
# handshakes, other ASGI applications, and the channel layer.
REQUESTS_SECONDS: Final = 10.0
FRAMES_SECONDS: Final = 1.0
CLOSE_SECONDS: Final = 20.0
LATE_CLOSE_SECONDS: Final = 2.0
HANDSHAKES_SECONDS: Final = 4.0
APPLICATIONS_SECONDS: Final = 3.0
CHANNEL_LAYER_SECONDS: Final = 2.0
# Between two closes: about the time another process needs to admit one reconnecting client.
CLOSE_INTERVAL_SECONDS: Final = 0.05
# How many requests the log names if they are not finished in time.
MOST_NAMED: Final = 5
# The listen backlog; the system's own limit (net.core.somaxconn) may be lower.
BACKLOG: Final = 4096

logger = logging.getLogger(__name__)


class GracefulServer(Server):
    """daphne that calls `on_start` before the first request, and drains on SIGTERM or SIGINT."""

    def __init__(
        self, application: object, *, on_start: Callable[[], None], host: str, port: int
    ) -> None:
        super().__init__(
            application=application,
            endpoints=[
                # After a restart every client reconnects at once. Of 400, with Twisted's backlog
                # of 50, 349 needed a second try, a second later.
                f"{endpoint}:backlog={BACKLOG}"
                for endpoint in build_endpoint_description_strings(host=host, port=port)
            ],
            signal_handlers=False,  # daphne's would stop the server at once
            ping_interval=ws_protocol.PING_INTERVAL_SECONDS,
            ping_timeout=ws_protocol.PONG_TIMEOUT_SECONDS,
            websocket_max_message_size=ws_protocol.MAX_FRAME_BYTES,
            websocket_max_frame_size=ws_protocol.MAX_FRAME_BYTES,
            ready_callable=self._configure,
            server_name="",  # no response names the server
            verbosity=0,
        )
        self.on_start = on_start
        self.open_connections = Connections()
        self.listening_ports: list[object] = []
        self.draining: asyncio.Task[None] | None = None

    def _configure(self) -> None:
        loop = asyncio.get_event_loop()
        for each in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(each, self._start_draining)
        loop.call_soon(self.on_start)  # once the loop runs
        self.ws_factory.protocol = ws_protocol.WebSocket
        # Only a pong shows that a client reads; by default autobahn accepts any message instead.
        self.ws_factory.autoPingRestartOnAnyTraffic = False
        # setProtocolOptions would reset all other options.
        self.ws_factory.perMessageCompressionAccept = deflate.accept  # type: ignore[assignment]
        self.http_factory.protocol = Channel  # type: ignore[assignment]  # HTTP/1.1 only
        self.http_factory.timeOut = settings.REQUEST_SECONDS
        build_protocol = self.http_factory.buildProtocol

        def build_protocol_with_our_request(address: Any) -> Any:
            if not self.open_connections.admits(address.host):
                return None
            protocol = build_protocol(address)
            protocol.requestFactory = Request
            return protocol

        self.http_factory.buildProtocol = build_protocol_with_our_request  # type: ignore[method-assign]

    def listen_success(self, port: object) -> None:
        """Keep the port for shutdown to close; daphne keeps only its address."""
        super().listen_success(port)
        self.listening_ports.append(port)

    def create_application(self, protocol: object, scope: dict[str, object]) -> object:
        """Start the application of a connection; sockets can send frames in parts."""
        if isinstance(protocol, ws_protocol.WebSocket):
            scope["extensions"] = {PARTS: {"send": protocol.send_parts}}
            protocol.address = address_of(scope)
        return super().create_application(protocol, scope)

    async def handle_reply(self, protocol: object, message: dict[str, object]) -> None:
        """Write a part of a response, and wait until the client has room for the next one."""
        if not isinstance(protocol, Request):
            await super().handle_reply(protocol, message)
            return
        backpressure.before_write(protocol, message)
        await super().handle_reply(protocol, message)
        await backpressure.wait_for_room(protocol)

    # --- shutdown --------------------------------------------------------------------------------

    def _start_draining(self) -> None:
        if self.draining is None:
            self.draining = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        logger.info("shutdown started seconds=%d", settings.SHUTDOWN_SECONDS)
        shutdown.set_deadline(settings.SHUTDOWN_SECONDS)
        try:
            health.begin_shutdown()
            get_channel_layer().stopping = True
            for port in self.listening_ports:  # from now on a proxy uses another process
                _stop_listening(port)
            moves.stop()
            # Moves and frames share a thread: frames of many sockets would delay the last moves.
            fanout.pause()
            await self._run_step(
                REQUESTS_SECONDS, self._finish_requests(), "requests", waits_for=self._unfinished
            )
            fanout.resume()
            await _wait_until(fanout.is_idle, FRAMES_SECONDS)
            await self._close_sockets(timeout=_scaled(CLOSE_SECONDS))
            # Close sockets opened meanwhile, on connections that existed already.
            await self._close_sockets(timeout=_scaled(LATE_CLOSE_SECONDS))
            await _wait_until(self._are_closed, HANDSHAKES_SECONDS)
            await _wait_until(lambda: not self._applications(), APPLICATIONS_SECONDS)
            # Other processes still get the announcements of the last moves.
            await self._run_step(
                CHANNEL_LAYER_SECONDS, get_channel_layer().close(), "channel layer"
            )
        except Exception:
            logger.exception("shutdown failed")
        self.stop()

    async def _run_step(
        self,
        seconds: float,
        step: Awaitable[None],
        name: str,
        *,
        waits_for: Callable[[], str] = str,
    ) -> None:
        """Run a shutdown step; on its timeout cancel it, without waiting for the cancellation.

        `waits_for`: returns what the step has waited for, for the log.
        """
        task, timeout = asyncio.ensure_future(step), _scaled(seconds)
        done, _ = await asyncio.wait((task,), timeout=timeout)
        if done:
            task.result()
        else:
            left = waits_for()
            task.cancel()
            suffix = f" left={left}" if left else ""
            logger.error("shutdown step timed out step=%s seconds=%.1f%s", name, timeout, suffix)

    async def _finish_requests(self) -> None:
        await scheduler.stop()
        await _wait_until(lambda: not self._in_progress(Request) and not moves.are_in_hand(), inf)
        await asyncio.to_thread(worker.stop, worker.STOP_SECONDS)  # it is no longer used

    def _unfinished(self) -> str:
        """Return a line that names what shutdown waits for, oldest requests first, no URLs."""
        requests = sorted(self._in_progress(Request), key=lambda each: each.age, reverse=True)
        left = ["scheduler"] if scheduler.is_running() else []
        left += ["moves over sockets"] if moves.are_in_hand() else []
        left += [f"{each.route} {each.age:.1f} s" for each in requests[:MOST_NAMED]]
        if len(requests) > MOST_NAMED:
            left.append(f"{len(requests) - MOST_NAMED} more")
        return ", ".join(left)

    def _are_closed(self) -> bool:
        """Return whether no request and no socket is left; close sockets that have just opened.

        Their handshakes may have waited in the queue for the games thread (see `FairQueue`).
        """
        for socket in self._open_sockets():
            socket.serverClose(code=CLOSE_SERVICE_RESTART)
        return not self._in_progress(WebSocketProtocol, Request)

    async def _close_sockets(self, *, timeout: float) -> None:
        """Close all open sockets; one by one, within `timeout` seconds, if other processes run."""
        sockets = self._open_sockets()
        for socket in sockets:
            socket.serverClose(code=CLOSE_SERVICE_RESTART)
            if get_channel_layer().has_peers():
                await asyncio.sleep(min(CLOSE_INTERVAL_SECONDS, timeout / len(sockets)))

    def _open_sockets(self) -> list[Any]:
        """Return the sockets that have been accepted and are not being closed."""
        sockets = self._in_progress(WebSocketProtocol)
        return [each for each in sockets if each.state == WebSocketProtocol.STATE_OPEN]

    def _in_progress(self, *protocols: type) -> list[Any]:
        """The requests without a complete response, or the sockets that are still open."""
        return [
            protocol
            for protocol, details in self.connections.items()
            if isinstance(protocol, protocols)
            and "application_instance" in details
            and "disconnected" not in details
        ]

    def _applications(self) -> list[asyncio.Future[None]]:
        running = (each.get("application_instance") for each in self.connections.values())
        return [each for each in running if each is not None and not each.done()]


def _stop_listening(port: Any) -> None:
    """Accept the connections in the backlog, then close the port, without yielding in between.

    The kernel completes a TCP handshake before we accept the connection, and resets it when the
    port closes: a proxy that has sent a form by then could not know whether to send it again.
    Twisted's `stopListening` accepts none of them.
    """
    port.stopReading()
    port.numberAccepts = BACKLOG
    port.doRead()
    port.connectionLost(failure.Failure(error.ConnectionDone()))


def _scaled(seconds: float) -> float:
    return shutdown.scaled(seconds, deadline=settings.SHUTDOWN_SECONDS)


async def _wait_until(condition: Callable[[], bool], seconds: float) -> None:
    """Poll `condition` until it holds, or until `seconds` (scaled to the deadline) have passed."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _scaled(seconds)
    while not condition() and loop.time() < deadline:
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.02)  # let the last writes be sent
