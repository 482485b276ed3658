"""A SQLite file that another process keeps locked: reads go on, and no write waits for long."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import httpx
import pytest
from django.db import OperationalError, connection

from perudo_site.circuit_breaker import CircuitBreaker
from tests.live import LiveSite

# Seconds. Nobody waits for more than three (docs/architecture.md); the rest is for a busy machine.
WITHIN = 8.0
CATCHING = "The site is busy"


@contextmanager
def locked(site: LiveSite, *, how: str = "IMMEDIATE") -> Iterator[None]:
    """From outside: this process takes the lock of every writer, and gives it back at the end."""
    with closing(sqlite3.connect(site.folder / "db.sqlite3", timeout=30)) as other:
        other.isolation_level = None
        other.execute(f"BEGIN {how}")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


def table_of(guest: httpx.Client) -> str:
    """The address of a running game against bots, in which the clock has something to do."""
    answer = guest.post("/play-now", data={"bots": "5"})
    assert "/games/" in str(answer.url), answer.text
    return answer.url.path


@pytest.mark.real_server
@pytest.mark.parametrize("how", ["IMMEDIATE", "EXCLUSIVE"])
def test_pages_are_served_while_another_process_locks_the_file(
    live_site: LiveSite, how: str
) -> None:
    answered: list[str] = []

    def read(path: str) -> None:
        with live_site.client() as stranger:
            assert stranger.get(path, timeout=WITHIN).status_code == 200, path
        answered.append(path)

    with live_site.guest() as guest, live_site.client() as stranger:
        table = table_of(guest)
        paths = ["/", "/rules", "/learn", table, "/account/login/", "/account/signup/", "/healthz"]
        with locked(live_site, how=how), ThreadPoolExecutor(12) as people:
            writing = [
                people.submit(
                    one.post, path, data=data, headers={"HX-Request": "true"}, timeout=WITHIN
                )
                for one, path, data in (
                    (guest, f"{table}/say", {"phrase": "good_luck"}),
                    (stranger, "/account/guest", {}),
                )
            ]
            time.sleep(0.3)  # by now they wait on their threads
            reading = [people.submit(read, path) for path in paths]
            own = people.submit(guest.get, table, timeout=WITHIN)
            for one in reading:
                one.result()
            assert own.result().status_code == 200
            refused = [one.result() for one in writing]
            assert sorted(answered) == sorted(paths)  # and the lock is still held
        assert [one.status_code for one in refused] == [503, 503]
        assert all(CATCHING in one.text for one in refused)
        assert guest.post(f"{table}/say", data={"phrase": "good_luck"}).status_code == 200


def test_all_waits_end_together_after_the_first_failure() -> None:
    breaker = CircuitBreaker()
    assert not breaker
    assert breaker.record_failure(now=100.0) == 100.0
    assert breaker.record_failure(now=100.9) == breaker.record_failure(now=101.5) == 100.0
    assert breaker and breaker.is_open(now=101.6)
    breaker.reset()
    assert not breaker and not breaker.is_open(now=101.6)
    assert breaker.record_failure(now=102.0) == 102.0


def test_after_a_quiet_time_a_new_wait_begins() -> None:
    breaker = CircuitBreaker()
    breaker.record_failure(now=100.0)
    assert breaker.is_open(now=100.9)
    assert not breaker.is_open(now=160.0)
    assert breaker.record_failure(now=160.0) == 160.0


def test_other_database_errors_are_not_retried(db: None) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("SQLite's own engine.")
    with pytest.raises(OperationalError, match="no such table"), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM nothing_of_that_name")
