"""The server process: graceful shutdown, and the limits of its sockets."""

from __future__ import annotations

import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import httpx
import pytest
from twisted.internet.protocol import Factory, Protocol
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from perudo_site.server.daphne import _stop_listening
from tests.support.live_site import PATIENCE, LiveSite, until_closed
from tests.support.players import HttpPlayer, player_factory, wait_for
from tests.support.site_database import SiteDatabase

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]
NewSite = Callable[..., LiveSite]


@pytest.fixture
def new_player() -> Iterator[NewPlayer]:
    """Creates visitors and closes their sessions at the end."""
    with player_factory() as new_player:
        yield new_player


def test_the_scheduler_runs_before_the_first_request(new_site: NewSite) -> None:
    """A game that waits for a bot or the end of a turn never waits for other visitors."""
    site = new_site()
    books = SiteDatabase(site.folder)
    assert books.rows("SELECT * FROM games_hours") == []
    site.begin()
    wait_for(lambda: books.rows("SELECT * FROM games_hours"), "the clock", patience=PATIENCE)


def test_shutdown_closes_sockets_with_a_code_to_reconnect(live_site: LiveSite) -> None:
    with connect(f"{live_site.ws_url}/ws/lobby", origin=live_site.url) as one:
        one.recv(timeout=10)
        live_site.stop()
        farewell = until_closed(one).rcvd
        assert farewell is not None and farewell.code == 1012


def test_with_other_processes_shutdown_closes_sockets_one_by_one(
    new_site: NewSite, needs_redis: str, new_player: NewPlayer
) -> None:
    """They do not all reach the other process at once, and get updates until they are closed."""
    site = new_site(REDIS_URL=needs_redis)
    other = new_site(beside=site, REDIS_URL=needs_redis)
    site.start()
    other.start()
    host, watchers = new_player(other), [new_player(site) for _ in range(60)]
    for watcher in watchers:
        watcher.listen("/ws/lobby")
    first, last = watchers[0].sockets[0], watchers[-1].sockets[0]
    wait_for(lambda: last.frames, "the lobby")
    assert site.process is not None
    site.process.send_signal(signal.SIGTERM)
    wait_for(lambda: first.closed == 1012, "the first farewell")
    assert last.closed is None
    code = host.open_table(size=2)
    wait_for(lambda: last.closed == 1012, "the last farewell")
    assert code in last.frames[-1]
    assert site.process.wait(PATIENCE) == 0


def test_during_shutdown_a_kept_alive_connection_gets_one_more_response(
    new_site: NewSite, needs_redis: str, new_player: NewPlayer
) -> None:
    """While it closes its sockets, open connections are still served, for one request."""
    site = new_site(REDIS_URL=needs_redis)
    site.start()
    new_site(beside=site, REDIS_URL=needs_redis).start()
    people = [new_player(site) for _ in range(40)]
    for each in people:
        each.listen("/ws/lobby")
    with site.client() as visitor:
        assert "connection" not in visitor.get("/rules").headers
        assert site.process is not None
        site.process.send_signal(signal.SIGTERM)
        wait_for(lambda: people[0].sockets[0].closed == 1012, "the first farewell")
        answer = visitor.get("/rules")
        assert (answer.status_code, answer.headers["connection"]) == (200, "close")
        with pytest.raises(httpx.ConnectError):
            visitor.get("/rules")


def test_shutdown_is_clean_and_its_exit_status_is_0(live_site: LiveSite) -> None:
    with live_site.guest() as guest:
        guest.get("/").raise_for_status()
        process = live_site.process
        assert process is not None
        with socket.create_connection(("127.0.0.1", live_site.port)) as unfinished:
            unfinished.sendall(b"GET / HTTP/1.1\r\n")
            live_site.stop()
        assert process.returncode == 0
    assert not re.search("Traceback|Task was destroyed", live_site.log)


def test_shutdown_finishes_requests_in_progress(live_site: LiveSite) -> None:
    """Signing in hashes a password: long enough to be told to stop meanwhile."""
    answers: list[httpx.Response] = []
    with live_site.client() as visitor:
        form = {"login": "nobody", "password": "seven toucans in a cup"}

        def sign_in() -> None:
            answers.append(visitor.post("/account/login/", data=form))

        clicking = threading.Thread(target=sign_in)
        clicking.start()
        time.sleep(0.03)
        live_site.stop()
        clicking.join(20)
    assert [answer.status_code for answer in answers] == [200]
    assert "Wrong name or password." in answers[0].text


def test_a_port_serves_the_connections_that_came_before_it_closes() -> None:
    """The kernel has completed them, and nobody has accepted them yet."""
    from twisted.internet import reactor  # the one that daphne has installed

    served: list[Protocol] = []

    class Line(Protocol):
        def connectionMade(self) -> None:
            served.append(self)

    port = reactor.listenTCP(0, Factory.forProtocol(Line), interface="127.0.0.1")
    address = ("127.0.0.1", port.getHost().port)
    with ExitStack() as lines:
        for _ in range(20):
            lines.enter_context(socket.create_connection(address))
        _stop_listening(port)
        assert len(served) == 20
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        for each in served:
            each.transport.abortConnection()


def test_after_shutdown_connections_are_refused(live_site: LiveSite) -> None:
    live_site.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(live_site.url)


def test_a_frame_that_is_too_long_closes_its_socket(live_site: LiveSite) -> None:
    with connect(f"{live_site.ws_url}/ws/lobby", origin=live_site.url) as one:
        one.recv(timeout=10)
        one.send("x" * 5000)
        until_closed(one)


def test_our_own_frames_may_be_as_long_as_a_table_is(
    live_site: LiveSite, new_player: NewPlayer
) -> None:
    host = new_player(live_site)
    code = host.open_table(size=2)
    assert host.action(code, "add-bot", kind="steady") == ""
    assert host.open_page(code).action(code, "start") == ""
    wait_for(lambda: any(len(frame) > 5000 for frame in host.sockets[0].frames), "a long frame")


def test_the_size_limit_applies_to_fragmented_messages(live_site: LiveSite) -> None:
    with connect(f"{live_site.ws_url}/ws/lobby", origin=live_site.url) as one:
        one.recv(timeout=10)
        with suppress(ConnectionClosed):
            one.send("x" * 1000 for _ in range(20))
        until_closed(one)


def test_a_port_in_use_stops_the_start_with_one_sentence(
    new_site: NewSite,
) -> None:
    site = new_site()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", site.port))
        taken.listen()
        with pytest.raises(AssertionError, match="Listen failure: Couldn't listen on"):
            site.start()
