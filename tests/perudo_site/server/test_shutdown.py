"""The deadline of shutdown, whatever hangs in the process."""

from __future__ import annotations

import re
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress

import httpx
import psycopg
import pytest
from websockets.exceptions import InvalidHandshake
from websockets.sync.client import connect

from perudo_site.server import daphne, shutdown
from perudo_site.settings import SHUTDOWN_SECONDS
from tests.support.deployments import QUICK
from tests.support.fixtures import new_database
from tests.support.live_site import PATIENCE, ROOT, LiveSite, until_closed
from tests.support.players import player_factory, wait_for

NewSite = Callable[..., LiveSite]


@pytest.fixture
def hanging_site(new_site: NewSite) -> Iterator[LiveSite]:
    """One of its threads hangs in a view, and would for a day."""
    site = new_site(DJANGO_SETTINGS_MODULE="tests.support.short_timeouts", SHUTDOWN_SECONDS="5")
    site.start()

    def ask() -> None:
        with suppress(httpx.TransportError):
            httpx.get(f"{site.url}/players/anna?sleep=86400", timeout=PATIENCE)

    asking = threading.Thread(target=ask)
    asking.start()
    wait_for(lambda: "asleep" in site.log, "the view")
    yield site
    site.kill()
    asking.join(PATIENCE)


@pytest.mark.real_server
def test_a_hanging_thread_does_not_delay_shutdown(hanging_site: LiveSite) -> None:
    """Sockets are closed in good order, then the stacks say where it hung."""
    process = hanging_site.process
    assert process is not None
    with connect(f"{hanging_site.ws_url}/ws/lobby", origin=hanging_site.url) as one:
        one.recv(timeout=10)
        process.send_signal(signal.SIGTERM)
        farewell = until_closed(one).rcvd
        assert farewell is not None and farewell.code == 1012
    assert process.wait(PATIENCE) == -signal.SIGALRM
    assert "_sleep_in_a_view" in hanging_site.log
    [line] = re.findall("shutdown step timed out .*", hanging_site.log)
    assert re.fullmatch(
        r"shutdown step timed out step=requests seconds=1\.1 left=GET games:profile \d+\.\d s", line
    )
    assert "anna" not in hanging_site.log


@pytest.mark.real_server
def test_of_many_hanging_requests_the_log_names_the_oldest(hanging_site: LiveSite) -> None:
    lines = [socket.create_connection(("127.0.0.1", hanging_site.port)) for _ in range(7)]
    for line in lines:
        line.sendall(b"HEAD /rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        time.sleep(0.1)
    time.sleep(1)  # they wait for the thread that hangs
    assert hanging_site.process is not None
    hanging_site.process.send_signal(signal.SIGTERM)
    assert hanging_site.process.wait(PATIENCE) == -signal.SIGALRM
    for line in lines:
        line.close()
    [left] = re.findall("shutdown step timed out .* left=(.*)", hanging_site.log)
    first, *others = left.split(", ")
    assert first.startswith("GET games:profile ")
    assert others[-1] == "3 more"
    assert [re.sub(r"[\d.]+ s$", "", one) for one in others[:-1]] == ["HEAD games:rules "] * 4
    ages = [float(re.findall(r"([\d.]+) s$", one)[0]) for one in (first, *others[:-1])]
    assert ages == sorted(ages, reverse=True)


@pytest.mark.real_server
def test_a_hanging_database_does_not_delay_shutdown(
    new_site: NewSite, migrated_postgres: str
) -> None:
    """The scheduler waits for it in the middle of a tick."""
    with new_database(like=migrated_postgres) as address:
        site = new_site(DATABASE_URL=address, SHUTDOWN_SECONDS="5")
        site.start()
        assert site.process is not None
        with psycopg.connect(address) as held:
            held.execute("LOCK TABLE games_game IN ACCESS EXCLUSIVE MODE")
            # In this database: other tests have locks on the same server. And not for long: who has
            # waited is about to give up by itself.
            waiting = (
                "SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database "
                "WHERE NOT granted AND datname = current_database() "
                "AND waitstart > clock_timestamp() - interval '500 ms'"
            )
            wait_for(lambda: held.execute(waiting).fetchone(), "the clock")
            site.process.send_signal(signal.SIGTERM)
            assert site.process.wait(PATIENCE) == -signal.SIGALRM
        assert "shutdown step timed out step=requests seconds=1.1 left=scheduler" in site.log
        # The stacks say what it waits for: whichever of its queries met the lock first.
        assert re.search(r'/games/(play|store)/\w+\.py", line \d+ in \w+', site.log)


@pytest.mark.real_server
def test_a_move_in_hand_is_answered_before_its_socket_is_closed(new_site: NewSite) -> None:
    """One that came over the socket waits for the database when the process is told to stop."""
    patient = {"DJANGO_SETTINGS_MODULE": "tests.support.long_timeouts", "LOG_LEVEL": "INFO"}
    site = new_site(**QUICK | patient)
    site.start()
    assert site.process is not None
    with ExitStack() as opened:
        person = opened.enter_context(player_factory())(site)
        code = person.open_table(size=2)
        for action in ({"name": "add-bot", "kind": "steady"}, {"name": "start"}):
            assert person.action(code, **action) == ""
        person.open_page(code)
        wait_for(lambda: person.view(code).my_turn, "their turn")
        [page], view = person.sockets, person.view(code)
        opens = 'value="dudo"' not in view.own
        made = {"do": "bid", "quantity": 1, "face": 2} if opens else {"do": "dudo"}
        wait_for(lambda: page.is_current, "the first state")
        records = opened.enter_context(closing(sqlite3.connect(site.folder / "db.sqlite3")))
        records.execute("BEGIN IMMEDIATE")
        moves = opened.enter_context(ThreadPoolExecutor(1))
        moves.submit(page.move, seen=view.seq, **made)
        time.sleep(0.5)
        site.process.send_signal(signal.SIGTERM)
        wait_for(lambda: "shutdown started" in site.log, "the shutdown")
        time.sleep(0.3)
        # On a busy machine the consumer may not have begun it: then the page is told to post it.
        is_tried = not page.answers
        assert page.closed is None
        records.rollback()
        wait_for(lambda: page.closed == daphne.CLOSE_SERVICE_RESTART, "the close")
        [said] = page.answers.values()
        site.process.wait(PATIENCE)
        [stored] = records.execute("SELECT seq FROM games_game WHERE code = ?", [code]).fetchone()
        if said.get("post"):
            assert stored == view.seq
        else:
            assert is_tried
            assert stored >= said["seq"] > view.seq


@pytest.mark.real_server
def test_a_socket_that_opens_while_others_are_closed_is_asked_to_come_back(
    new_site: NewSite,
) -> None:
    """Its handshake has waited for its turn since before the process was told to stop."""
    site = new_site(DJANGO_SETTINGS_MODULE="tests.support.slow_admission_settings")
    site.start()
    assert site.process is not None
    opened: list[float] = []
    closed: list[int | None] = []

    def open_one(cookie: str) -> None:
        with suppress(OSError, InvalidHandshake):
            headers = {"Cookie": f"sessionid={cookie}"}
            address = f"{site.ws_url}/ws/lobby"
            with connect(
                address, origin=site.url, additional_headers=headers, open_timeout=PATIENCE
            ) as one:
                opened.append(time.monotonic())
                farewell = until_closed(one).rcvd
                closed.append(farewell and farewell.code)

    with site.guest() as guest, ThreadPoolExecutor(12) as people:
        for _ in range(12):
            people.submit(open_one, guest.cookies["sessionid"])
        wait_for(lambda: len(opened) > 1, "the first sockets")
        site.process.send_signal(signal.SIGTERM)
        stopped = time.monotonic()
    assert site.process.wait(PATIENCE) == 0
    assert max(opened) > stopped + 1
    assert len(closed) == len(opened) and set(closed) == {1012}


def test_the_timeouts_of_the_steps_fit_into_the_deadline() -> None:
    steps = [
        value
        for name, value in vars(daphne).items()
        if name.endswith("_SECONDS") and name != "CLOSE_INTERVAL_SECONDS"
    ]
    assert len(steps) == 7
    assert sum(steps) < shutdown.DEFAULT_SECONDS


def test_systemd_waits_longer_than_the_deadline() -> None:
    unit = (ROOT / "deploy/systemd/perudo@.service").read_text()
    [patience] = re.findall(r"(?m)^TimeoutStopSec=(\d+)$", unit)
    assert int(patience) > SHUTDOWN_SECONDS
