"""The WebSocket protocol of a connection: close codes, pings, and a bounded send buffer.

For a client that does not read, the server has to buffer all data. Every frame holds the full
state, so nothing is lost when such a connection is dropped: the browser reconnects and gets the
current state.
"""

from __future__ import annotations

import logging
import socket
from itertools import count
from typing import Any, Final

# Imported first: it installs the reactor that all other Twisted modules use.
import daphne.server  # noqa: F401  # isort: skip
from autobahn.websocket.compress import PERMESSAGE_COMPRESSION_EXTENSION
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from prometheus_client import Counter
from twisted.internet.protocol import connectionDone

from perudo_site.ratelimit import refusals
from perudo_site.ratelimit.local import allow
from perudo_site.server.deflate import Packer

# The longest message of our pages is a move, some two hundred bytes.
MAX_FRAME_BYTES: Final = 4096
# The kernel's send buffer of one socket, in bytes (Linux doubles the number).
# The transport keeps 64 KB more, which together is about fifteen frames of a table.
SEND_BUFFER_BYTES: Final = 65_536
# A pong is due before the next ping: autobahn knows only the last ping, and treats the pong of an
# earlier one as unsolicited.
PING_INTERVAL_SECONDS = 20
PONG_TIMEOUT_SECONDS = 20
# Limits for frames of every kind, including pings and pongs. `ratelimit.websocket` has a lower
# limit for messages, and closes with a code. Per address, twice as many frames as messages are
# read; above that, only frames of sockets that send few.
FRAMES_PER_MINUTE: Final = 240
FEW_FRAMES_PER_MINUTE: Final = 40

dropped: Final = Counter(
    "perudo_sockets_dropped", "Sockets that were cut off, by reason.", ("reason",)
)
_COMPRESSED: Final = 4  # the first reserved bit of a frame
_connection_ids = count()
logger = logging.getLogger(__name__)


class WebSocket(WebSocketProtocol):
    """daphne's protocol, but it can close with any code and drops clients that do not read.

    To its transport it is a push producer, which is paused when the send buffer is full.
    """

    maxMessagePayloadSize: int  # autobahn's
    _perMessageCompress: Any  # autobahn's; None: the client does not inflate
    transport: Any  # Twisted's, of TCP
    address = ""  # the key of the client in rate limits
    packer: Packer | None = None  # once a frame has been compressed
    is_full = False  # the transport's send buffer is over its high-water mark

    def connectionMade(self) -> None:
        """Take over as the transport's producer from the HTTP channel."""
        self.connection_id = str(next(_connection_ids))
        self.transport.getHandle().setsockopt(
            socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES
        )
        self.transport.unregisterProducer()
        self.transport.registerProducer(self, streaming=True)
        super().connectionMade()

    def connectionLost(self, reason: Any = connectionDone) -> None:
        self.factory.server_class.open_connections.closed(self.transport)
        if self.packer is not None:
            self.packer.close()
            self.packer = None
        super().connectionLost(reason)

    def _parseExtensionsHeader(self, header: str, removeQuotes: bool = True) -> list[object]:
        """Return the client's offers that we understand; the others are declined.

        Even one offer with a parameter unknown to autobahn would fail the handshake.
        """
        offered = super()._parseExtensionsHeader(header, removeQuotes)
        return [each for each in offered if _is_understood(*each)]

    # --- the send buffer -------------------------------------------------------------------------

    def pauseProducing(self) -> None:
        self.is_full = True

    def resumeProducing(self) -> None:
        """The transport has handed everything to the kernel."""
        self.is_full = False

    def stopProducing(self) -> None:
        """The connection is lost; autobahn is notified separately."""

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        """Send a frame of any kind, pongs and close frames too, or drop a stalled client."""
        if self.is_full:
            self._drop("send_buffer_full")
        elif sync or chopsize or self.send_queue:
            super().sendData(data, sync, chopsize)
        else:
            self._write(data)

    def _write(self, data: bytes) -> None:
        """Hand the kernel what it takes at once, and leave the rest to the reactor.

        Twisted's own `write` only notes that there is something to send, which takes one more turn
        of the event loop and two system calls.
        """
        transport, sent = self.transport, 0
        is_waiting = transport.dataBuffer or transport._tempDataBuffer
        if transport.connected and not is_waiting:
            sent = transport.writeSomeData(data)
            if not isinstance(sent, int):  # an error, which the reactor will find too
                sent = 0
        if sent < len(data):
            transport.write(data[sent:])

    def _drop(self, reason: str) -> None:
        if not self.droppedByMe:
            dropped.labels(reason).inc()
            logger.info("websocket dropped reason=%s", reason)
            self.dropConnection(abort=True)

    def send_parts(
        self, shared: bytes, own: bytes, time: bytes, *, table: str, is_secret: bool
    ) -> None:
        """Send a frame at once, compressed in parts if the client supports it: see `Packer`.

        Do nothing if the client has just disconnected. `table` identifies what `shared` shows.
        """
        if self.state != self.STATE_OPEN:
            return
        if self.is_full:  # the client does not read: no need to compress
            self._drop("send_buffer_full")
            return
        if self._perMessageCompress is not None and settings.SOCKET_COMPRESSION:
            self.packer = self.packer or Packer.at(table, settings.SOCKET_COMPRESSION)
            packed = self.packer and self.packer.packed(shared, own, time, is_secret=is_secret)
            if packed:
                self.sendFrame(opcode=self.MESSAGE_TYPE_TEXT, payload=packed, rsv=_COMPRESSED)
                return
        self.sendMessage(shared + own + time)

    def sendMessage(self, *args: object, **kwargs: object) -> None:
        """Send without a size limit: autobahn would apply the limit for clients to us too.

        These messages are not compressed: see `deflate`.
        """
        limit, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0
        try:
            super().sendMessage(*args, **kwargs | {"doNotCompress": True})
        finally:
            self.maxMessagePayloadSize = limit

    # --- liveness of the client ------------------------------------------------------------------

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        """A message does not show that the client reads: only a pong postpones the next ping."""
        pinged = self.last_ping
        super().onMessage(payload, isBinary)
        self.last_ping = pinged

    def onAutoPingTimeout(self) -> None:
        """Drop the client, with a count and a log line; autobahn would only drop it."""
        self.autoPingTimeoutCall = None
        self._drop("no_pong")

    def onFrameEnd(self) -> bool | None:
        """Count a complete frame; False stops reading."""
        if not self._may_send():
            refusals.of_a_socket("frames")
            self._drop("too_many_frames")
            return False
        ended: bool | None = super().onFrameEnd()
        return ended

    def _may_send(self) -> bool:
        if not allow("frame", self.connection_id, per_minute=FRAMES_PER_MINUTE):
            return False
        is_one_of_few = allow("few frames", self.connection_id, per_minute=FEW_FRAMES_PER_MINUTE)
        most = 2 * settings.MESSAGES_PER_ADDRESS
        return not self.address or allow("frame", self.address, per_minute=most) or is_one_of_few

    # --- closing ---------------------------------------------------------------------------------

    def serverClose(self, code: int | None = None) -> None:
        """Close with any code; autobahn's own method refuses service codes such as 1012."""
        self.sendCloseFrame(code=code or 1000)


def _is_understood(extension: str, parameters: dict[str, list[Any]]) -> bool:
    known: Any = PERMESSAGE_COMPRESSION_EXTENSION.get(extension)
    if known is None:
        return False
    try:
        known["Offer"].parse(parameters)
    except Exception:  # autobahn raises no other
        return False
    return True
