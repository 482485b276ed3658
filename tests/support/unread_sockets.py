"""Clients that do not read, on bare connections."""

from __future__ import annotations

import select
import socket
from base64 import b64encode
from urllib.parse import urlsplit

import httpx

from tests.support.live_site import PATIENCE, LiveSite

KEY = b64encode(b"sixteen bytes...").decode()
EMPTY_TEXT = b"\x81\x80\0\0\0\0"


def raw_connection(url: str, *, room: int = 0) -> socket.socket:
    """A connection; `room`: bytes that the system takes in for a client that does not read."""
    line = socket.socket()
    if room:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    line.settimeout(PATIENCE)
    line.connect(("127.0.0.1", urlsplit(url).port))
    return line


def unread_socket(url: str, path: str) -> socket.socket:
    """A WebSocket whose client will never read anything, not even the answer to the handshake."""
    line = raw_connection(url, room=4096)
    line.sendall(
        f"GET {path} HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\nOrigin: {url}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {KEY}\r\n\r\n".encode()
    )
    return line


def is_closed(line: socket.socket) -> bool:
    """Whether the server has cut the connection; what it had sent before is not read."""
    looking = select.poll()
    looking.register(line, 0)  # to be told of errors and of the end alone
    return bool(looking.poll(0))


def number(site: LiveSite, metric: str) -> float:
    """A number that this site shows, summed over the labels not given."""
    text = httpx.get(f"http://127.0.0.1:{site.environment['METRICS_PORT']}/metrics").text
    lines = (line.rpartition(" ") for line in text.splitlines())
    return sum(float(value) for name, _, value in lines if name.startswith(metric))
