"""The WebSocket protocol of a connection: closing codes, pings, and a send buffer with an end.

A client that does not read makes the server keep what it cannot send. Frames are full state, so
nothing is lost when its connection is cut: a browser reconnects and is sent what is true then.
"""

from __future__ import annotations

import logging
import socket
from itertools import count
from typing import Any, Final

# First: it installs the reactor that everything else of Twisted finds.
import daphne.server  # noqa: F401  # isort: skip
from daphne.ws_protocol import WebSocketProtocol
from prometheus_client import Counter

from perudo_site import limits

# People speak by POST; a socket listens only, and needs no room for long messages.
LONGEST_FRAME: Final = 4096
# What the system keeps for one socket until its client has read it (Linux doubles the number).
# The transport keeps 64 KB more, which together is some fifteen frames of a table.
SYSTEM_BUFFER: Final = 65_536
# So often a client is pinged, and so long it may take to answer.
PING_SECONDS = 20
PONG_SECONDS = 30
# Of every kind, pings and pongs too. Who sends too many messages is told so before (`sockets`).
FRAMES_A_MINUTE: Final = 240

dropped: Final = Counter(
    "perudo_sockets_dropped", "Sockets that were cut off, by reason.", ("reason",)
)
_numbers = count()
logger = logging.getLogger(__name__)


class Socket(WebSocketProtocol):
    """daphne's, but it closes with any code, and drops a client that does not read.

    To its transport it is a push producer, which is told when the send buffer is full.
    """

    maxMessagePayloadSize: int  # autobahn's
    transport: Any  # Twisted's, of TCP
    is_full = False  # more waits in the transport than it likes to keep

    def connectionMade(self) -> None:
        """The HTTP channel produced for this transport until now."""
        self.number = str(next(_numbers))
        self.transport.getHandle().setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BUFFER)
        self.transport.unregisterProducer()
        self.transport.registerProducer(self, streaming=True)
        super().connectionMade()

    # --- the send buffer -------------------------------------------------------------------------

    def pauseProducing(self) -> None:
        self.is_full = True

    def resumeProducing(self) -> None:
        """Everything was handed to the system."""
        self.is_full = False

    def stopProducing(self) -> None:
        """The connection is lost; autobahn hears of it by itself."""

    def sendData(self, *args: Any, **kwargs: Any) -> None:
        """Every frame passes here, pongs and closing ones too."""
        if self.is_full:
            self._drop("send_buffer_full")
        else:
            super().sendData(*args, **kwargs)

    def _drop(self, reason: str) -> None:
        if not self.droppedByMe:
            dropped.labels(reason).inc()
            logger.info("websocket dropped reason=%s", reason)
            self.dropConnection(abort=True)

    def sendMessage(self, *args: Any, **kwargs: Any) -> None:
        """The limit is for what people send; autobahn would hold our own frames to it too."""
        limit, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0
        try:
            super().sendMessage(*args, **kwargs)
        finally:
            self.maxMessagePayloadSize = limit

    # --- whether the client is there -------------------------------------------------------------

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        """What a client sends does not show that it reads: only a pong puts off the next ping."""
        pinged = self.last_ping
        super().onMessage(payload, isBinary)
        self.last_ping = pinged

    def _sendAutoPing(self) -> None:
        """One at a time: autobahn forgets the first, and would take its pong for a stray one."""
        if self.autoPingTimeoutCall is None:
            super()._sendAutoPing()

    def onAutoPingTimeout(self) -> None:
        self.autoPingTimeoutCall = None
        self._drop("no_pong")

    def onFrameEnd(self) -> bool | None:
        """A whole frame has come; False ends the reading."""
        if not limits.may("frame of any kind", self.number, a_minute=FRAMES_A_MINUTE):
            self._drop("too_many_frames")
            return False
        ended: bool | None = super().onFrameEnd()
        return ended

    # --- closing ---------------------------------------------------------------------------------

    def serverClose(self, code: int | None = None) -> None:
        if self.state == self.STATE_OPEN:
            self.sendCloseFrame(code=code or 1000)
