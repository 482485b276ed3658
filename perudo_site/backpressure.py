"""Waits until a client has read what it was sent, before it is sent more.

daphne writes every part of an answer into the buffer of its connection at once, however long the
answer and however slow the client. Twisted tells a registered producer when that buffer is full
and when it is empty again; the server waits for it between two parts.
"""

from __future__ import annotations

import logging
from asyncio import Event, wait_for
from typing import Any, Final

from daphne.http_protocol import WebRequest

# A client that takes longer for a full buffer (64 KB, and the system's) is cut off.
STALLED_SECONDS: Final = 60.0

logger = logging.getLogger(__name__)


class _Valve:
    """A push producer of Twisted's: open while the connection has room, and when it is gone."""

    def __init__(self) -> None:
        self.open = Event()
        self.open.set()

    def pauseProducing(self) -> None:
        self.open.clear()

    def resumeProducing(self) -> None:
        self.open.set()

    def stopProducing(self) -> None:
        self.open.set()


def expect_more(request: WebRequest, message: dict[str, Any]) -> None:
    """Before a message of an answer is written: listen to its connection while more will follow."""
    if request.finished or request.channel is None:
        return
    if not message.get("more_body", False):
        request.unregisterProducer()
    elif request.producer is None:
        request.registerProducer(_Valve(), True)


async def drained(request: WebRequest) -> None:
    """Return when there is room again; a client that does not read is cut off."""
    valve = request.producer
    if not isinstance(valve, _Valve) or valve.open.is_set():
        return
    try:
        await wait_for(valve.open.wait(), STALLED_SECONDS)
    except TimeoutError:
        logger.info("a client has stopped reading its answer; its connection is closed")
        transport: Any = request.transport
        if transport is not None:
            transport.abortConnection()
