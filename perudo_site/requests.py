"""Requests on the wire, before Django sees them: what is no request of a browser ends here.

daphne reads a body whole, however long, takes a header of its own from strangers, and answers some
nonsense with a trace in the log. Its own pages for that carry its name and none of our headers.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any, Final

from daphne.http_protocol import WebRequest

from perudo_site.channel import PLAIN_HEADERS, answer_and_close

# Django refuses forms of more than 2.5 MB with a page; what is longer is not even read.
LONGEST_BODY: Final = 5_000_000
_METHOD: Final = re.compile(rb"[A-Z]{1,20}")


class Request(WebRequest):
    """daphne's, with a longest body, and short answers to what is no request."""

    received = 0

    def gotLength(self, length: int | None) -> None:
        """The length that was announced; None for a body in chunks."""
        if length is not None and length > LONGEST_BODY:
            self._too_long()
            length = 0  # no room is made for it
        super().gotLength(length)

    def handleContentChunk(self, data: bytes) -> None:
        self.received += len(data)
        if self.received <= LONGEST_BODY:
            super().handleContentChunk(data)
        else:
            self._too_long()

    def process(self) -> Any:
        if self.server.ending is not None:  # whoever asks next asks another process
            self.responseHeaders.setRawHeaders(b"Connection", [b"close"])
            self.channel.persistent = False
        # With it a stranger would say at which address the site begins.
        self.requestHeaders.removeHeader(b"daphne-root-path")
        spoken = self.requestHeaders.getRawHeaders(b"sec-websocket-protocol", [])
        if _METHOD.fullmatch(self.method) is None or not all(map(bytes.isascii, spoken)):
            return self.basic_error(HTTPStatus.BAD_REQUEST, b"Bad Request", "")
        return super().process()

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        """Words for a program: a browser does not send what is answered so."""
        headers = [(name.lower(), value) for name, value in PLAIN_HEADERS]
        self.handle_reply(
            {"type": "http.response.start", "status": int(status), "headers": headers}
        )
        self.handle_reply({"type": "http.response.body", "body": status_text + b"\n"})

    def _too_long(self) -> None:
        if self.channel is not None:
            answer_and_close(self.channel, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
