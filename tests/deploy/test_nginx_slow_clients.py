"""Clients that do not read, through the shipped nginx file."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from deploy import cluster
from tests.support.live_site import PATIENCE, LiveSite, free_port
from tests.support.players import Address, HttpPlayer, player_factory, wait_for
from tests.support.unread_sockets import EMPTY_TEXT, is_closed, number, unread_socket

pytestmark = [pytest.mark.real_server, pytest.mark.usefixtures("needs_nginx")]

CLIENTS = 150  # of one address, fewer than nginx takes from it
ROOM = 40  # MB
# The site misses the pong of its first ping after 20 + 30 seconds; the rest is for a busy machine.
SITE_SECONDS = 60.0
# nginx learns of it at once where it waits for the site, and else after its `send_timeout`.
NGINX_SECONDS = 75.0
SPARED = ("the host's requests", "the host's socket")


@pytest.fixture
def new_player() -> Iterator[Callable[..., HttpPlayer]]:
    with player_factory() as new_player:
        yield new_player


@pytest.fixture
def front(new_site: Callable[..., LiveSite], tmp_path: Path) -> Iterator[tuple[LiveSite, Address]]:
    """A site, and where it is reached through nginx."""
    site = new_site(BEHIND_PROXIES="1", METRICS_PORT=str(free_port()))
    site.start()
    port, folder = free_port(), tmp_path / "nginx"
    folder.mkdir()
    cluster.write_nginx_files(folder, port=port, processes=[site.port])
    with subprocess.Popen(cluster.nginx(folder)) as nginx:
        front = Address(f"http://127.0.0.1:{port}")
        wait_for(lambda: answers(front), "nginx", patience=PATIENCE)
        yield site, front
        nginx.terminate()


def answers(front: Address) -> bool:
    with suppress(httpx.TransportError):
        return httpx.get(f"{front.url}/healthz").is_success
    return False


@pytest.mark.long
def test_sockets_that_send_and_never_read_are_cut_off_before_they_use_much_memory(
    front: tuple[LiveSite, Address], new_player: Callable[..., HttpPlayer]
) -> None:
    """The table they watch changes all the time; who reads stays."""
    site, entrance = front
    host = new_player(entrance)
    code = host.open_table(size=6)
    host.open_page(code)
    reader = host.sockets[0]
    before = site.forget_peak()
    with ExitStack() as lines:
        unread = [
            lines.enter_context(unread_socket(entrance.url, f"/ws/games/{code}"))
            for _ in range(CLIENTS)
        ]
        wait_for(lambda: number(site, "perudo_sockets{") == CLIENTS + 1, "all of them")
        began = sent = time.monotonic()
        changes = 0
        while number(site, "perudo_sockets{") > 1:
            assert time.monotonic() - began < SITE_SECONDS, "the site still holds them"
            for action in ({"name": "add-bot", "kind": "steady"}, {"name": "remove", "seat": "1"}):
                assert host.action(code, **action) == ""
            changes += 1
            if time.monotonic() - sent > 9:
                sent = time.monotonic()
                say_something(unread)
        closed, grown = time.monotonic() - began, site.peak - before
        assert changes > 5 and held(entrance) >= 1
        while held(entrance) > len(SPARED):
            assert time.monotonic() - began < closed + NGINX_SECONDS, "nginx still holds them"
            time.sleep(0.5)
        cut = time.monotonic() - began
        say_something(unread)  # which the system answers in the name of nobody
        wait_for(lambda: all(map(is_closed, unread)), "the end on the clients' side")
    print(
        f"{changes} changes: the site let go of {CLIENTS} sockets within {closed:.0f} s and grew "
        f"by {grown} MB; nginx held none of them after {cut:.0f} s"
    )
    assert grown < ROOM
    assert reader.closed is None
    frames = len(reader.frames)
    assert host.action(code, "add-bot", kind="steady") == ""
    wait_for(lambda: len(reader.frames) > frames, "the frame of who reads")


def held(front: Address) -> int:
    """The connections of clients that nginx keeps open; what the system has left of one that nginx
    has closed does not count."""
    port, established = f":{urlsplit(front.url).port:04X}", "01"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(port) and row[3] == established for row in rows)


def say_something(unread: Sequence[socket.socket]) -> None:
    """An empty message from each; those that are cut off already say nothing."""
    for line in unread:
        with suppress(OSError):
            line.sendall(EMPTY_TEXT)
