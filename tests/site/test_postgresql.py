"""Pooled connections to PostgreSQL: reused without a query; one wait while the server is away."""

from __future__ import annotations

import select
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
import psycopg
import pytest
from django.db import OperationalError
from django.db.utils import ConnectionHandler

from perudo_site import databases
from perudo_site.circuit_breaker import CircuitBreaker
from perudo_site.postgresql import base
from tests.conftest import new_database
from tests.live import LiveSite, free_port
from tests.wire.people import wait_until

# Seconds. Nobody waits for more than three (docs/architecture.md); the rest is for a busy machine.
WITHIN = 8.0


@pytest.fixture
def database(needs_postgres: str, django_db_blocker: Any) -> Iterator[Any]:
    """A connection of Django's to a new database, as the site has it; the pool holds one."""
    settings = databases.postgresql(dj_database_url.parse(needs_postgres))
    settings["OPTIONS"]["pool"]["max_size"] = 1
    connection = ConnectionHandler({"default": settings})["default"]
    with django_db_blocker.unblock():
        yield connection
        connection.close()
        connection.close_pool()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What the server said each time it was asked whether it is still there."""
    answers: list[bool] = []
    real = base._is_alive

    def ask(connection: Any) -> bool:
        answers.append(real(connection))
        return answers[-1]

    monkeypatch.setattr(base, "_is_alive", ask)
    return answers


def served_by(database: Any) -> int:
    """The server's process behind the connection that is handed out; it goes back afterwards."""
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (number,) = cursor.fetchone()
    database.close()
    return int(number)


def waits(settings: Any, times: int) -> list[float]:
    """The seconds that each of so many attempts to connect takes; all of them fail."""
    database = ConnectionHandler({"default": settings})["default"]
    found = []
    for _ in range(times):
        began = monotonic()
        with pytest.raises(OperationalError, match="couldn't get a connection"):
            database.ensure_connection()
        found.append(monotonic() - began)
    database.close_pool()
    return found


def test_who_is_queued_behind_a_wait_in_vain_does_not_wait_too(
    django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody listens at the address; a second after the last failure a new wait begins."""
    monkeypatch.setattr(base, "_breaker", CircuitBreaker())
    address = f"postgres://perudo@127.0.0.1:{free_port()}/perudo"
    settings = databases.postgresql(dj_database_url.parse(address))
    settings["OPTIONS"]["pool"]["timeout"] = wait = 1
    with django_db_blocker.unblock():
        first, *others = waits(settings, 11)
        assert first >= wait
        assert sum(others) < wait  # not ten times as long
        sleep(1.1)
        assert waits(settings, 1)[0] >= wait


def test_a_connection_that_is_ready_is_given_at_once_and_ends_the_outage(
    database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaker = CircuitBreaker()
    monkeypatch.setattr(base, "_breaker", breaker)
    served_by(database)
    breaker.record_failure(now=monotonic())
    served_by(database)
    assert not breaker


def test_an_idle_connection_is_reused_without_a_query(database: Any, asked: list[bool]) -> None:
    assert len({served_by(database) for _ in range(5)}) == 1
    assert asked == []


def test_one_that_the_server_has_closed_is_not_reused(
    database: Any, needs_postgres: str, asked: list[bool]
) -> None:
    first = served_by(database)
    with psycopg.connect(needs_postgres, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    assert served_by(database) != first
    assert asked == [False]


def test_one_with_a_pending_notice_is_queried_and_kept(
    database: Any, needs_postgres: str, asked: list[bool]
) -> None:
    with database.cursor() as cursor:
        cursor.execute("LISTEN gossip")
    line = database.connection.fileno()
    first = served_by(database)
    with psycopg.connect(needs_postgres, autocommit=True) as other:
        other.execute("NOTIFY gossip")
    assert select.select([line], [], [], 10)[0]  # it has arrived
    assert served_by(database) == first
    assert asked == [True]


@pytest.mark.real_server
def test_while_the_database_is_away_nobody_waits_behind_others(
    new_site: Callable[..., LiveSite], migrated_postgres: str
) -> None:
    """Moves share a thread: each would wait three seconds after the one before it."""
    with (
        new_database(like=migrated_postgres) as address,
        new_database() as elsewhere,
        psycopg.connect(elsewhere, autocommit=True) as server,
    ):
        name = urlsplit(address).path.strip("/")
        site = new_site(DATABASE_URL=address)
        site.start()
        with site.guest() as guest, ThreadPoolExecutor(8) as people:
            server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
            )
            moves = [
                people.submit(guest.post, "/games/abcdefghjk/move", timeout=WITHIN)
                for _ in range(8)
            ]
            assert [move.result().status_code for move in moves] == [503] * 8
            server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
            wait_until(lambda: guest.get("/").is_success, "the database is back")
