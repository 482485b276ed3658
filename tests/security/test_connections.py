"""Many connections that say nothing: the site stays open for everybody else."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from django.test import override_settings
from websockets.sync.client import connect

from perudo_site.server import connections, descriptors
from perudo_site.server.connections import Connections
from tests.support.deployments import error_entries
from tests.support.live_site import PATIENCE, ROOT, LiveSite, clean_environment
from tests.support.players import wait_for

NewSite = Callable[..., LiveSite]
FEW = {"CONNECTIONS_PER_ADDRESS": "3"}


class ShellSite(LiveSite):
    """A site started by a shell with these limits of open files, soft and hard."""

    limits = (0, 0)

    def begin(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                [sys.executable, "manage.py", "serve", "--port", str(self.port)],
                cwd=ROOT,
                env=clean_environment(**self.environment),
                stdout=log,
                stderr=log,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, self.limits),
            )


@pytest.fixture
def shell_site(prepared_folder: Any, tmp_path: Any) -> Iterator[Callable[..., ShellSite]]:
    """Starts sites with limits of open files."""
    sites: list[ShellSite] = []

    def start(soft: int, hard: int, **environment: str) -> ShellSite:
        site = ShellSite.of(prepared_folder, tmp_path / f"site-{len(sites)}", **environment)
        assert isinstance(site, ShellSite)
        site.limits = (soft, hard)
        sites.append(site)
        site.start()
        return site

    yield start
    for site in sites:
        site.kill()


@contextmanager
def quiet(site: LiveSite, count: int, *, of: str) -> Iterator[list[socket.socket]]:
    """So many connections of one address that send nothing."""
    with ExitStack() as lines:
        yield [
            lines.enter_context(
                socket.create_connection(("127.0.0.1", site.port), 10, source_address=(of, 0))
            )
            for _ in range(count)
        ]


def open_of(lines: list[socket.socket]) -> int:
    """How many of these the server has not closed."""
    return sum(1 for line in lines if not _is_closed(line))


def _is_closed(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def visit(site: LiveSite, *, of: str = "127.0.0.9") -> int:
    with httpx.Client(transport=httpx.HTTPTransport(local_address=of), timeout=PATIENCE) as client:
        return client.get(f"{site.url}/rules").status_code


# --- whole servers -------------------------------------------------------------------------------


@pytest.mark.real_server
def test_a_shells_limit_is_raised_and_quiet_connections_keep_nobody_out(
    shell_site: Callable[..., ShellSite],
) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    site = shell_site(1024, hard, CONNECTIONS_PER_ADDRESS="1000")
    with quiet(site, 1_100, of="127.0.0.2") as lines:
        assert visit(site) == httpx.codes.OK
        wait_for(lambda: open_of(lines) <= 1_000, "more than one address may have")
        assert open_of(lines) > 900
    assert "open file limit is low" not in site.log
    assert site.log.count("connections limited reason=address") == 1  # a line a minute
    assert error_entries(site.log) == []


@pytest.mark.real_server
def test_where_the_limit_stays_low_the_log_says_so_and_newcomers_get_a_place(
    shell_site: Callable[..., ShellSite],
) -> None:
    """Four addresses hold every connection there is; one of theirs makes room for a fifth."""
    site = shell_site(256, 256, CONNECTIONS_PER_ADDRESS="1000")
    most = 256 - descriptors.RESERVED
    assert f"open file limit is low hard=256 connections={most}" in site.log
    with ExitStack() as crowds:
        lines = []
        for number in range(2, 6):
            lines += crowds.enter_context(quiet(site, most // 3, of=f"127.0.0.{number}"))
        assert [visit(site) for _ in range(5)] == [httpx.codes.OK] * 5
        assert 0 < open_of(lines) <= most
    assert "connections limited reason=room" in site.log
    assert error_entries(site.log) == []


@pytest.mark.real_server
def test_a_socket_counts_as_a_connection_until_it_is_closed(new_site: NewSite) -> None:
    site = new_site(**FEW)
    site.start()

    def lobby() -> Any:
        return connect(f"{site.ws_url}/ws/lobby", origin=site.url)

    def is_refused() -> bool:
        with quiet(site, 1, of="127.0.0.1") as [line]:
            line.settimeout(0.3)
            try:
                return line.recv(1) == b""
            except TimeoutError:
                return False

    with lobby() as first:
        with lobby(), lobby():
            wait_for(is_refused, "the fourth is refused")
            assert visit(site) == httpx.codes.OK
        wait_for(lambda: not is_refused(), "a free place")
        assert first.ping().wait(10)


# --- the counting itself -------------------------------------------------------------------------


class Channel:
    """A connection that waits for a request, or has sent one."""

    def __init__(self, host: str, *, is_quiet: bool = True) -> None:
        self.is_quiet = is_quiet
        peer = SimpleNamespace(host=host)
        self.transport = SimpleTransport(peer, self)


class SimpleTransport:
    def __init__(self, peer: Any, channel: Channel) -> None:
        self.peer, self.protocol, self.aborted = peer, channel, False

    def getPeer(self) -> Any:
        return self.peer

    def abortConnection(self) -> None:
        self.aborted = True


def opened(counted: Connections, host: str, *, is_quiet: bool = True) -> Channel:
    channel = Channel(host, is_quiet=is_quiet)
    counted.opened(channel)
    return channel


def test_the_oldest_quiet_connection_of_the_greediest_makes_room() -> None:
    counted = Connections(most=4)
    busy = opened(counted, "192.0.2.1", is_quiet=False)
    first, second = opened(counted, "192.0.2.1"), opened(counted, "192.0.2.1")
    other = opened(counted, "192.0.2.2")
    assert counted.admits("192.0.2.3")
    channels = (busy, first, second, other)
    assert [channel.transport.aborted for channel in channels] == [False, True, False, False]
    assert len(counted) == 3


def test_who_holds_most_is_refused_and_so_is_everybody_when_all_are_busy() -> None:
    counted = Connections(most=4)
    for host in ("192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"):
        opened(counted, host, is_quiet=False)
    assert not counted.admits("192.0.2.1")
    assert not counted.admits("192.0.2.4")


def test_an_ipv6_household_is_one_address_and_ipv4_ones_are_several() -> None:
    counted = Connections(most=100)
    for number in range(5):
        opened(counted, f"2001:db8::{number}")
        opened(counted, f"::ffff:192.0.2.{number}")
    assert counted.of("2001:db8::99") == 5
    assert counted.of("192.0.2.1") == 1


def test_a_connection_is_counted_once_however_often_it_ends() -> None:
    counted = Connections(most=100)
    channel = opened(counted, "192.0.2.1")
    for _ in range(2):
        counted.closed(channel.transport)
    assert len(counted) == 0 == counted.of("192.0.2.1")


def test_behind_a_proxy_its_address_is_not_limited() -> None:
    with override_settings(BEHIND_PROXIES=1, CONNECTIONS_PER_ADDRESS=2):
        counted = Connections(most=100)
        for _ in range(99):
            opened(counted, "127.0.0.1")
        assert counted.admits("127.0.0.1")
    with override_settings(CONNECTIONS_PER_ADDRESS=2):
        assert not counted.admits("127.0.0.1")


def test_it_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    with override_settings(CONNECTIONS_PER_ADDRESS=1):
        counted = Connections(most=100)
        opened(counted, "192.0.2.1")
        assert [counted.admits("192.0.2.1") for _ in range(9)] == [False] * 9
    assert [record.name for record in caplog.records] == [connections.__name__]
    assert "192.0.2.1" not in caplog.text
