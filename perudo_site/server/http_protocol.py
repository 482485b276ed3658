"""HTTP protocol below Django: limits on the time and size of a request, and plain error responses.

Twisted's own timeout is for silence: every byte restarts it, so a request sent byte by byte never
times out. Here the time counts from the first byte of a request until its headers and body are
complete. An idle keep-alive connection has the same timeout.

daphne reads a request body of any length, accepts a `Daphne-Root-Path` header from any client, and
logs a traceback for some malformed requests. Its own error pages name daphne and lack our headers.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from time import monotonic
from typing import Any, Final
from urllib.parse import unquote

from daphne.http_protocol import WebRequest
from twisted.internet.protocol import connectionDone
from twisted.web.http import HTTPChannel

from perudo_site.server import logs

# Django answers forms of more than 2.5 MB with a page; anything longer than this is not even read.
MAX_BODY_BYTES: Final = 5_000_000
PLAIN_HEADERS: Final = (
    (b"Content-Type", b"text/plain; charset=utf-8"),
    (b"Content-Security-Policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"X-Content-Type-Options", b"nosniff"),
    (b"X-Frame-Options", b"DENY"),
    (b"Referrer-Policy", b"same-origin"),
    (b"Cross-Origin-Opener-Policy", b"same-origin"),
    (b"Cache-Control", b"no-store, private"),
)
_METHOD: Final = re.compile(rb"[A-Z]{1,20}")


class Channel(HTTPChannel):
    """Twisted's HTTP connection, with one timeout (`timeOut`, in seconds) for a whole request."""

    receiving = False  # a request has begun to arrive
    is_quiet = True  # no complete request waits for its response

    def connectionMade(self) -> None:
        super().connectionMade()
        self.factory.server.open_connections.opened(self)

    def connectionLost(self, reason: object = connectionDone) -> None:
        self.factory.server.open_connections.closed(self.transport)
        super().connectionLost(reason)

    def resetTimeout(self) -> None:
        """Start the timeout. It is called for all received data; only a request's first counts."""
        if not self.receiving:
            self.receiving = True
            super().resetTimeout()

    def allContentReceived(self) -> None:
        """Note that the request is complete: from here on the site itself takes the time."""
        self.receiving = False
        self.is_quiet = False
        super().allContentReceived()

    def requestDone(self, request: object) -> None:
        self.is_quiet = True
        super().requestDone(request)

    def timeoutConnection(self) -> None:
        if self.receiving:
            respond_and_close(self, HTTPStatus.REQUEST_TIMEOUT)
        super().timeoutConnection()  # aborts if the client does not read the response


class Request(WebRequest):
    """daphne's request, with a maximum body size and plain responses to malformed requests."""

    received = 0  # bytes of the body
    began = 0.0  # when the whole request had arrived, by time.monotonic

    @property
    def age(self) -> float:
        """Seconds since the whole request had arrived."""
        return monotonic() - self.began

    @property
    def route(self) -> str:
        """The method and the name of the URL pattern, for the log."""
        path = unquote(self.path.decode("ascii", "replace"))
        return f"{logs.known_method(self.method.decode())} {logs.route_of(path)}"

    def gotLength(self, length: int | None) -> None:
        """Refuse a declared Content-Length that is too large; None means a chunked body."""
        if length is not None and length > MAX_BODY_BYTES:
            self._refuse_body()
        super().gotLength(length)

    def handleContentChunk(self, data: bytes) -> None:
        """Refuse a body whose length was not declared, once it is too large."""
        self.received += len(data)
        if self.received <= MAX_BODY_BYTES:
            super().handleContentChunk(data)
        else:
            self._refuse_body()

    def process(self) -> Any:
        self.began = monotonic()
        if self.server.draining is not None:  # the client's next request goes to another process
            self.responseHeaders.setRawHeaders(b"Connection", [b"close"])
            self.channel.persistent = False
        # This header would let any client set the URL prefix (ASGI root_path).
        self.requestHeaders.removeHeader(b"daphne-root-path")
        self._decline_offers()
        if _METHOD.fullmatch(self.method) is None:
            return self.basic_error(HTTPStatus.BAD_REQUEST, b"Bad Request", "")
        return super().process()

    def _decline_offers(self) -> None:
        """Remove offers that we don't support, so that they don't fail the handshake.

        Headers with lists may be sent in several lines, which autobahn treats as an error. It also
        treats some subprotocols as an error; we have none.
        """
        headers = self.requestHeaders
        headers.removeHeader(b"sec-websocket-protocol")
        if len(extensions := headers.getRawHeaders(b"sec-websocket-extensions", [])) > 1:
            headers.setRawHeaders(b"sec-websocket-extensions", [b", ".join(extensions)])
        upgrades = b",".join(headers.getRawHeaders(b"upgrade", [])).lower().split(b",")
        if b"websocket" in map(bytes.strip, upgrades):
            headers.setRawHeaders(b"upgrade", [b"websocket"])

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        """Respond in plain text: no browser sends a request that ends up here."""
        headers = [(name.lower(), value) for name, value in PLAIN_HEADERS]
        self.handle_reply(
            {"type": "http.response.start", "status": int(status), "headers": headers}
        )
        self.handle_reply({"type": "http.response.body", "body": status_text + b"\n"})

    def _refuse_body(self) -> None:
        if self.channel is not None:
            respond_and_close(self.channel, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def respond_and_close(channel: HTTPChannel, status: HTTPStatus) -> None:
    """Respond to an incomplete request, and read nothing more from its connection.

    Do so only once: further chunks of its body may have arrived already, and each calls this.
    """
    if channel.transport is None or channel.transport.disconnecting:
        return
    lines = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode())]
    lines += [b"%s: %s" % header for header in PLAIN_HEADERS]
    body = status.phrase.encode() + b"\n"
    lines += [b"Content-Length: %d" % len(body), b"Connection: close", b"", body]
    channel.write(b"\r\n".join(lines))
    channel.loseConnection()
