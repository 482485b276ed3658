"""Clients that do not read, or send slowly: bounded memory, and disconnected in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tests.support.deployments import error_entries
from tests.support.live_site import PATIENCE, LiveSite, free_port
from tests.support.players import HttpPlayer, player_factory, wait_for
from tests.support.unread_sockets import (
    EMPTY_TEXT,
    is_closed,
    number,
    raw_connection,
    unread_socket,
)

pytestmark = pytest.mark.real_server
NewSite = Callable[..., LiveSite]

EMPTY_PING = b"\x89\x80\0\0\0\0"


@pytest.fixture
def new_player() -> Iterator[Callable[..., HttpPlayer]]:
    with player_factory() as new_player:
        yield new_player


# --- clients that do not read --------------------------------------------------------------------


def test_a_socket_that_does_not_read_is_dropped_before_it_uses_much_memory(
    new_site: NewSite, new_player: Callable[..., HttpPlayer]
) -> None:
    """The table it watches changes, and nobody takes the frames; who reads them stays."""
    site = new_site(
        METRICS_PORT=str(free_port()), DJANGO_SETTINGS_MODULE="tests.support.long_timeouts"
    )
    site.start()
    host = new_player(site)
    code = host.open_table(size=6)
    host.open_page(code)
    reader = host.sockets[0]
    with ExitStack() as lines:
        unread = [
            lines.enter_context(unread_socket(site.url, f"/ws/games/{code}")) for _ in range(8)
        ]
        wait_for(lambda: number(site, "perudo_sockets{") == 9, "nine sockets")
        changes = 0
        while not all(map(is_closed, unread)):
            for action in ({"name": "add-bot", "kind": "steady"}, {"name": "remove", "seat": "1"}):
                assert host.action(code, **action) == ""
            changes += 1
            assert changes < 200, "their frames pile up"
    assert number(site, 'perudo_sockets_dropped_total{reason="send_buffer_full"}') == len(unread)
    wait_for(lambda: number(site, "perudo_sockets{") == 1, "one socket")
    assert site.log.count("websocket dropped reason=send_buffer_full") == len(unread)
    assert reader.closed is None
    before = len(reader.frames)
    assert host.action(code, "add-bot", kind="steady") == ""
    wait_for(lambda: len(reader.frames) > before, "the frame of who reads")


def test_a_client_that_sends_but_answers_no_ping_is_dropped(new_site: NewSite) -> None:
    """Whatever it sends, only a pong shows that what we send arrives."""
    site = new_site(DJANGO_SETTINGS_MODULE="tests.support.short_timeouts")
    site.start()
    with (
        unread_socket(site.url, "/ws/lobby") as unread,
        connect(f"{site.ws_url}/ws/lobby", origin=site.url) as honest,
    ):
        sent = 0
        while not is_closed(unread):
            with suppress(ConnectionError):
                unread.sendall(EMPTY_TEXT)
            time.sleep(0.9)  # more often than pings
            sent += 1
            assert sent < 20, "nobody misses its pongs"
        assert "websocket dropped reason=no_pong" in site.log
        assert honest.ping().wait(10)


def test_a_client_that_floods_frames_is_dropped(live_site: LiveSite) -> None:
    """Pings too: each costs an answer."""
    with unread_socket(live_site.url, "/ws/lobby") as line, suppress(OSError):
        for _ in range(2_000):
            line.sendall(EMPTY_PING)
            time.sleep(0.001)
        pytest.fail("every ping was taken")
    assert "websocket dropped reason=too_many_frames" in live_site.log


# --- requests that come slowly -------------------------------------------------------------------

BEGINNINGS = {
    "a body": b"POST /language HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n",
    "a body in chunks": b"POST /language HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n",
    "a header": b"GET / HTTP/1.1\r\nX-Long: ",
    "an address": b"GET /",
}


@pytest.fixture(scope="module")
def unhurried_site(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    folder = tmp_path_factory.mktemp("short_timeouts") / "site"
    settings = {
        "DJANGO_SETTINGS_MODULE": "tests.support.short_timeouts",
        "REQUEST_SECONDS": "2",
    }
    site = LiveSite.of(prepared_folder, folder, **settings)
    site.start()
    yield site
    site.kill()


@pytest.mark.parametrize("part", BEGINNINGS)
def test_a_request_sent_byte_by_byte_times_out(unhurried_site: LiveSite, part: str) -> None:
    with raw_connection(unhurried_site.url) as line:
        line.sendall(BEGINNINGS[part])
        line.settimeout(0.2)
        answer = b""
        for _ in range(100):
            with suppress(TimeoutError):
                answer = line.recv(1000)
                break
            line.sendall(b"x")
        assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        assert b"\r\nConnection: close\r\n" in answer
    assert error_entries(unhurried_site.log) == []


def test_the_timeout_starts_again_with_each_request(unhurried_site: LiveSite) -> None:
    with raw_connection(unhurried_site.url) as line:
        for _ in range(3):
            line.sendall(b"GET /healthz HTTP/1.1\r\n")
            time.sleep(1)
            line.sendall(b"Host: 127.0.0.1\r\n\r\n")
            assert line.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n")


def test_the_timeout_does_not_apply_to_the_response(unhurried_site: LiveSite) -> None:
    answer = httpx.get(f"{unhurried_site.url}/rules?sleep=3", timeout=PATIENCE)
    assert answer.status_code == httpx.codes.OK
