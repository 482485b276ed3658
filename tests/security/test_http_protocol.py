"""Malformed and slow requests: a short response, no traceback in the log, nobody else waits."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import httpx
import pytest

from perudo_site.server import http_protocol
from tests.support.deployments import error_entries
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.real_server

MEGABYTE = b"x" * 1_000_000
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = b"POST /language HTTP/1.1\r\n%(host)s"

# What is sent, and the first lines that may answer it; none at all is a closed line.
BYTES: dict[str, tuple[bytes, tuple[int, ...]]] = {
    "a method in no alphabet": (b"GE\xffT / HTTP/1.1\r\n%(host)s\r\n", (400,)),
    "a method in small letters": (b"get / HTTP/1.1\r\n%(host)s\r\n", (400,)),
    "a method nobody knows": (b"BREW /language HTTP/1.1\r\n%(host)s\r\n", (403,)),
    "a version nobody knows": (b"GET / HTTP/9.9\r\n%(host)s\r\n", (400,)),
    "a null in the address": (b"GET /\x00 HTTP/1.1\r\n%(host)s\r\n", (400,)),
    "no ascii in the address": (b"GET /\xff?\xff HTTP/1.1\r\n%(host)s\r\n", (400,)),
    "two hosts": (b"GET / HTTP/1.1\r\n%(host)s%(host)s\r\n", (400,)),
    "another site's address": (b"GET http://evil/ HTTP/1.1\r\n%(host)s\r\n", (404,)),
    "a tunnel": (b"CONNECT evil:443 HTTP/1.1\r\n%(host)s\r\n", (403, 404)),
    "the beginning of the site": (
        b"GET /healthz HTTP/1.1\r\n%(host)sDaphne-Root-Path: \xff\r\n\r\n",
        (200,),
    ),
    "cookies in no alphabet": (
        b"GET / HTTP/1.1\r\n%(host)sCookie: sessionid=\xff; csrftoken=\x80\r\n\r\n",
        (200,),
    ),
    "six hundred headers": (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 600 + b"%(host)s\r\n", (400,)),
    "a header without end": (b"GET / HTTP/1.1\r\nX: " + b"y" * 100_000 + b"\r\n\r\n", ()),
    "an address without end": (b"GET /" + b"y" * 100_000 + b" HTTP/1.1\r\n\r\n", ()),
    "ten megabytes announced": (POST + b"Content-Length: 10000000\r\n\r\nx", (413,)),
    "ten megabytes sent": (POST + b"Content-Length: 10000000\r\n\r\n" + MEGABYTE * 10, (413,)),
    "ten megabytes in chunks": (
        POST
        + b"Transfer-Encoding: chunked\r\n\r\n"
        + (b"f4240\r\n" + MEGABYTE + b"\r\n") * 10
        + b"0\r\n\r\n",
        (413,),
    ),
    "a form in chunks": (
        POST + FORM + b"Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n",
        (403,),
    ),
    "a chunk of no size": (POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n", (400,)),
    "two lengths": (POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", (400,)),
    "a length below nothing": (POST + b"Content-Length: -1\r\n\r\na", (400,)),
    "a length with a sign": (POST + b"Content-Length: +1\r\n\r\na", (400,)),
    "a length and chunks": (
        POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + SMUGGLED,
        (400,),
    ),
    "chunks by another name": (
        POST + b"Transfer-Encoding: xchunked\r\n\r\n" + SMUGGLED,
        (400,),
    ),
    "chunks after a space": (
        POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
        (400,),
    ),
    "a torn multipart": (
        POST
        + b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 40\r\n\r\n"
        + b"--b\r\nContent-Disposition: form-data; x".ljust(40),
        (400, 403),
    ),
    "another language": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", (400,)),
    "a handshake with a bad key": (
        b"GET /ws/lobby HTTP/1.1\r\n%(host)s%(origin)s" + UPGRADE + b"Sec-WebSocket-Key: x\r\n\r\n",
        (400,),
    ),
    "a handshake of the future": (
        b"GET /ws/lobby HTTP/1.1\r\n%(host)s%(origin)s"
        + UPGRADE.replace(b"13", b"99")
        + KEY
        + b"\r\n",
        (400,),
    ),
    "a posted handshake": (
        b"POST /ws/lobby HTTP/1.1\r\n%(host)s%(origin)s" + UPGRADE + KEY + b"\r\n",
        (405,),
    ),
    "a handshake from another host": (
        b"GET /ws/lobby HTTP/1.1\r\nHost: evil\r\nOrigin: http://evil\r\n"
        + UPGRADE
        + KEY
        + b"\r\n",
        (403,),
    ),
    "a protocol in no alphabet": (
        b"GET /ws/lobby HTTP/1.1\r\n%(host)s%(origin)s"
        + UPGRADE
        + KEY
        + b"Sec-WebSocket-Protocol: \xff\r\n\r\n",
        (101,),  # declined, as every subprotocol
    ),
}


def line_to(site: LiveSite) -> socket.socket:
    return socket.create_connection(("127.0.0.1", site.port), timeout=5)


def answers(site: LiveSite, sent: bytes) -> list[int]:
    """The status of every answer until the line is closed or silent."""
    host = b"Host: 127.0.0.1:%d\r\n" % site.port
    origin = b"Origin: http://127.0.0.1:%d\r\n" % site.port
    heard = b""
    with line_to(site) as line:
        line.settimeout(2)
        with suppress(OSError):  # hung up on in the middle: the answer is there all the same
            line.sendall(sent.replace(b"%(host)s", host).replace(b"%(origin)s", origin))
        with suppress(OSError):
            while piece := line.recv(65_536):
                heard += piece
                if b"\r\n\r\n" in heard and sent.count(b"HTTP/1.1") == 1:
                    break
    return [int(each[:3]) for each in heard.split(b"HTTP/1.1 ")[1:]]


@pytest.fixture(autouse=True)
def nothing_breaks(shared_site: LiveSite) -> Iterator[None]:
    yield
    assert error_entries(shared_site.log) == []


def test_each_malformed_request_gets_one_short_response(
    shared_site: LiveSite, subtests: pytest.Subtests
) -> None:
    """One: a second request hidden in the first is not heard."""
    for name in BYTES:
        with subtests.test(name=name):
            sent, statuses = BYTES[name]
            heard = answers(shared_site, sent)
            assert len(heard) <= 1
            assert not statuses or heard[0] in statuses, heard
            assert httpx.get(f"{shared_site.url}/healthz").text == "ok"
            assert error_entries(shared_site.log) == []


def test_its_response_has_our_headers_and_does_not_name_the_server(shared_site: LiveSite) -> None:
    with line_to(shared_site) as line:
        line.sendall(b"get / HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: line.recv(65_536), b"")).lower()
    for name, _ in http_protocol.PLAIN_HEADERS:
        assert b"\r\n%s: " % name.lower() in answer
    assert b"daphne" not in answer and b"twisted" not in answer


def test_slow_clients_delay_nobody_else(shared_site: LiveSite) -> None:
    """More slow ones than there are threads, and a page is served as if they were not there."""
    with ExitStack() as lines:
        for _ in range(60):
            slow = lines.enter_context(line_to(shared_site))
            slow.sendall(
                b"POST /account/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
            )
            slow.sendall(b"\r\na")
        with shared_site.guest() as guest:
            assert guest.get("/").status_code == httpx.codes.OK
