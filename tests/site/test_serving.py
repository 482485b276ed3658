"""The end of a server process: what is under way is finished, and browsers come back."""

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
    """Lets people in, and sees them home."""
    with door() as come:
        yield come


def test_its_clock_goes_before_anybody_has_come(new_site: NewSite) -> None:
    """Whoever waits for a bot, or for the end of a turn, waits for no visitor."""
    site = new_site()
    books = Ledger(site.folder)
    assert books.rows("SELECT * FROM games_hours") == []
    site.begin()
    wait_until(lambda: books.rows("SELECT * FROM games_hours"), "the clock", patience=PATIENCE)


def test_told_to_stop_it_closes_sockets_so_that_browsers_come_back(live_site: LiveSite) -> None:
    with connect(f"{live_site.ws_url}/ws/lobby", origin=live_site.url) as one:
        one.recv(timeout=10)
        live_site.stop()
        farewell = until_closed(one).rcvd
        assert farewell is not None and farewell.code == 1012


def test_beside_another_it_sends_people_away_one_by_one_and_serves_those_who_wait(
    new_site: NewSite, needs_redis: str, come: Come
) -> None:
    """They are not all at the other door at once, and until his turn nobody misses anything."""
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


def test_told_to_stop_it_keeps_no_line_open_behind_an_answer(
    new_site: NewSite, needs_redis: str, come: Come
) -> None:
    """While it says goodbye to its sockets, whoever has a line to it is still served, once."""
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


def test_told_to_stop_it_ends_without_a_word_of_trouble(live_site: LiveSite) -> None:
    with live_site.guest() as guest:
        guest.get("/").raise_for_status()
        process = live_site.process
        assert process is not None
        live_site.stop()
        assert process.returncode == 0
    assert "Traceback" not in live_site.log


def test_an_answer_under_way_is_given_before_the_end(live_site: LiveSite) -> None:
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
    assert "do not belong together" in answers[0].text


def test_nobody_new_is_let_in_while_it_ends(live_site: LiveSite) -> None:
    live_site.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(live_site.url)


def test_a_frame_longer_than_any_of_ours_ends_its_socket(live_site: LiveSite) -> None:
    with connect(f"{live_site.ws_url}/ws/lobby", origin=live_site.url) as one:
        one.recv(timeout=10)
        one.send("x" * 5000)
        until_closed(one)


def test_our_own_frames_may_be_as_long_as_a_table_is(live_site: LiveSite, come: Come) -> None:
    host = come(live_site)
    code = host.open_table(size=2)
    assert host.deed(code, "add-bot", kind="steady") == ""
    assert host.look_at(code).deed(code, "start") == ""
    wait_until(lambda: any(len(frame) > 5000 for frame in host.sockets[0].frames), "a long frame")


def test_a_message_in_many_short_frames_is_as_long_as_it_is(live_site: LiveSite) -> None:
    with connect(f"{live_site.ws_url}/ws/lobby", origin=live_site.url) as one:
        one.recv(timeout=10)
        with suppress(ConnectionClosed):
            one.send("x" * 1000 for _ in range(20))
        until_closed(one)


def test_a_port_that_is_taken_ends_the_start_with_a_sentence(
    new_site: NewSite,
) -> None:
    site = new_site()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", site.port))
        taken.listen()
        with pytest.raises(AssertionError, match="cannot listen"):
            site.start()
