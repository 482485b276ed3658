"""What a socket hands the kernel at once."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from daphne.server import twisted_loop  # noqa: F401  # first: it installs the reactor
from twisted.internet import reactor, tcp
from twisted.internet.protocol import Protocol

from perudo_site.server.ws_protocol import WebSocket

A_LOT = b"much more than the kernel takes at once, " * 100_000


class Line:
    """A socket's protocol on a real connection, and who reads at its other end."""

    def __init__(self) -> None:
        here, self.there = socket.socketpair()
        here.setblocking(False)
        self.there.setblocking(False)
        self.transport = tcp.Connection(here, Protocol(), reactor)
        self.transport.connected = True
        self.socket = WebSocket.__new__(WebSocket)
        self.socket.transport = self.transport

    def read(self) -> bytes:
        """What has arrived by now."""
        found = []
        while True:
            try:
                found.append(self.there.recv(1 << 20))
            except BlockingIOError:
                return b"".join(found)


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    yield line
    line.transport.stopWriting()
    line.transport.socket.close()
    line.there.close()


def test_a_frame_is_on_its_way_before_the_next_turn_of_the_loop(line: Line) -> None:
    for frame in (b"one", b"two"):
        line.socket._write(frame)
        assert line.read() == frame


def test_a_client_that_reads_late_gets_all_of_it_in_order(line: Line) -> None:
    line.socket._write(A_LOT)
    line.socket._write(b"and this")
    arrived = line.read()
    assert 0 < len(arrived) < len(A_LOT)
    line.socket._write(b" at last")  # there is room again, but others wait
    while more := line.transport.doWrite() or line.read():
        arrived += more
    assert arrived == A_LOT + b"and this at last"
    line.socket._write(b"!")
    assert line.read() == b"!"


def test_a_client_that_has_gone_is_found_by_the_reactor(line: Line) -> None:
    line.there.close()
    line.socket._write(b"nobody")
    assert isinstance(line.transport.doWrite(), Exception)
