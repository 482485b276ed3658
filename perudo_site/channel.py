"""One HTTP connection: how long a request may take to arrive, and what is answered when it is late.

Twisted's own limit is for silence: every byte starts it again, so that a request sent byte by byte
never ends. Here the time is counted from the first byte of a request until its headers and its body
are complete. A connection that waits between two requests has the same time.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from twisted.web.http import HTTPChannel

PLAIN_HEADERS: Final = (
    (b"Content-Type", b"text/plain; charset=utf-8"),
    (b"Content-Security-Policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"X-Content-Type-Options", b"nosniff"),
    (b"X-Frame-Options", b"DENY"),
    (b"Referrer-Policy", b"same-origin"),
    (b"Cross-Origin-Opener-Policy", b"same-origin"),
    (b"Cache-Control", b"no-store, private"),
)


class Channel(HTTPChannel):
    """Twisted's, with one limit (`timeOut`, in seconds) for the whole of a request."""

    receiving = False  # a request has begun to arrive

    def resetTimeout(self) -> None:
        """Called for every piece of data; only the first of a request starts the time."""
        if not self.receiving:
            self.receiving = True
            super().resetTimeout()

    def allContentReceived(self) -> None:
        self.receiving = False
        super().allContentReceived()

    def timeoutConnection(self) -> None:
        if self.receiving:
            answer_and_close(self, HTTPStatus.REQUEST_TIMEOUT)
        super().timeoutConnection()  # aborts if the client does not read the answer


def answer_and_close(channel: HTTPChannel, status: HTTPStatus) -> None:
    """Answer a request that is not complete, and read nothing more from its connection."""
    if channel.transport is None or channel.transport.disconnecting:
        return
    lines = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode())]
    lines += [b"%s: %s" % header for header in PLAIN_HEADERS]
    words = status.phrase.encode() + b"\n"
    lines += [b"Content-Length: %d" % len(words), b"Connection: close", b"", words]
    channel.write(b"\r\n".join(lines))
    channel.loseConnection()
