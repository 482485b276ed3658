"""Backpressure for HTTP responses: the next part is sent when the client has read the ones before.

daphne writes every part of a response into the connection's buffer at once, however long the
response and however slow the client. Twisted tells a registered producer when that buffer is full
and when it is empty again; the server waits for that between two parts.
"""

from __future__ import annotations

import logging
from asyncio import Event, wait_for
from typing import Any, Final

from daphne.http_protocol import WebRequest

# A client that takes longer to drain a full buffer (64 KB plus the kernel's) is disconnected.
STALL_TIMEOUT_SECONDS: Final = 60.0

logger = logging.getLogger(__name__)


class _Valve:
    """A Twisted push producer: `open` is set while the buffer has room, and on disconnect."""

    def __init__(self) -> None:
        self.open = Event()
        self.open.set()

    def pauseProducing(self) -> None:
        self.open.clear()

    def resumeProducing(self) -> None:
        self.open.set()

    def stopProducing(self) -> None:
        """Release the response: the client has disconnected, so there is nothing to wait for."""
        self.open.set()


def before_write(request: WebRequest, message: dict[str, object]) -> None:
    """Register a producer if more of the response follows `message`; unregister it at the end."""
    if request.finished or request.channel is None:
        return
    if not message.get("more_body", False):
        request.unregisterProducer()
    elif request.producer is None:
        request.registerProducer(_Valve(), True)


async def wait_for_room(request: WebRequest) -> None:
    """Return when the send buffer has room again; disconnect a client that does not read."""
    valve = request.producer
    if not isinstance(valve, _Valve) or valve.open.is_set():
        return
    try:
        await wait_for(valve.open.wait(), STALL_TIMEOUT_SECONDS)
    except TimeoutError:
        logger.info("http connection dropped reason=client_stalled")
        transport: Any = request.transport
        if transport is not None:
            transport.abortConnection()
