"""The server process: graceful shutdown, and the limits of its sockets."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.live import PATIENCE, LiveSite, until_closed
from tests.wire.ledger import Ledger
from tests.wire.people import Person, door, wait_until

pytestmark = pytest.mark.real_server
Come = Callable[..., Person]
NewSite = Callable[..., LiveSite]


@pytest.fixture
def come() -> Iterator[Come]:
    """Creates visitors and closes their sessions at the end."""
    with door() as come:
        yield come


def test_the_scheduler_runs_before_the_first_request(new_site: NewSite) -> None:
    """A game that waits for a bot or the end of a turn never waits for other visitors."""
    site = new_site()
    books = Ledger(site.folder)
    assert books.rows("SELECT * FROM games_hours") == []
    site.begin()
    wait_until(lambda: books.rows("SELECT * FROM games_hours"), "the clock", patience=PATIENCE)


def test_shutdown_closes_sockets_with_a_code_to_reconnect(live_site: LiveSite) -> None:
    with connect(f"{live_site.ws_url}/ws/lobby", origin=live_site.url) as one:
        one.recv(timeout=10)
        live_site.stop()
        farewell = until_closed(one).rcvd
        assert farewell is not None and farewell.code == 1012


def test_with_other_processes_shutdown_closes_sockets_one_by_one(
    new_site: NewSite, needs_redis: str, come: Come
) -> None:
    """They do not all reach the other process at once, and get updates until they are closed."""
    site = new_site(REDIS_URL=needs_redis)
    other = new_site(beside=site, REDIS_URL=needs_redis)
    site.start()
    other.start()
    host, watchers = come(other), [come(site) for _ in range(60)]
    for watcher in watchers:
        watcher.listen("/ws/lobby")
    first, last = watchers[0].sockets[0], watchers[-1].sockets[0]
    wait_until(lambda: last.frames, "the lobby")
    assert site.process is not None
    site.process.send_signal(signal.SIGTERM)
    wait_until(lambda: first.closed == 1012, "the first farewell")
    assert last.closed is None
    code = host.open_table(size=2)
    wait_until(lambda: last.closed == 1012, "the last farewell")
    assert code in last.frames[-1]
    assert site.process.wait(PATIENCE) == 0


def test_during_shutdown_a_kept_alive_connection_gets_one_more_response(
    new_site: NewSite, needs_redis: str, come: Come
) -> None:
    """While it closes its sockets, open connections are still served, for one request."""
    site = new_site(REDIS_URL=needs_redis)
    site.start()
    new_site(beside=site, REDIS_URL=needs_redis).start()
    people = [come(site) for _ in range(40)]
    for each in people:
        each.listen("/ws/lobby")
    with site.client() as visitor:
        assert "connection" not in visitor.get("/rules").headers
        assert site.process is not None
        site.process.send_signal(signal.SIGTERM)
        wait_until(lambda: people[0].sockets[0].closed == 1012, "the first farewell")
        answer = visitor.get("/rules")
        assert (answer.status_code, answer.headers["connection"]) == (200, "close")
        with pytest.raises(httpx.ConnectError):
            visitor.get("/rules")


def test_shutdown_is_clean_and_its_exit_status_is_0(live_site: LiveSite) -> None:
    with live_site.guest() as guest:
        guest.get("/").raise_for_status()
        process = live_site.process
        assert process is not None
        live_site.stop()
        assert process.returncode == 0
    assert "Traceback" not in live_site.log


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


def test_after_shutdown_connections_are_refused(live_site: LiveSite) -> None:
    live_site.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(live_site.url)


def test_a_frame_that_is_too_long_closes_its_socket(live_site: LiveSite) -> None:
    with connect(f"{live_site.ws_url}/ws/lobby", origin=live_site.url) as one:
        one.recv(timeout=10)
        one.send("x" * 5000)
        until_closed(one)


def test_our_own_frames_may_be_as_long_as_a_table_is(live_site: LiveSite, come: Come) -> None:
    host = come(live_site)
    code = host.open_table(size=2)
    assert host.action(code, "add-bot", kind="steady") == ""
    assert host.look_at(code).action(code, "start") == ""
    wait_until(lambda: any(len(frame) > 5000 for frame in host.sockets[0].frames), "a long frame")


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
        with pytest.raises(AssertionError, match="cannot listen error="):
            site.start()
