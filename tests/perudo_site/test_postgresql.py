"""Connections to PostgreSQL: kept, replaced after a restart, and one wait while it is silent."""

from __future__ import annotations

import socket
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
from tests.support.fixtures import new_database
from tests.support.live_site import LiveSite
from tests.support.players import wait_for

# Seconds. Nobody waits for more than three (docs/architecture.md); the rest is for a busy machine.
WITHIN = 8.0


@pytest.fixture
def database(needs_postgres: str, django_db_blocker: Any) -> Iterator[Any]:
    """A connection of Django's to a new database, as the site has it."""
    settings = databases.postgresql(dj_database_url.parse(needs_postgres))
    connection = ConnectionHandler({"default": settings})["default"]
    with django_db_blocker.unblock():
        yield connection
        connection.close()


@pytest.fixture
def silent_server() -> Iterator[str]:
    """The address of a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as listening:
        yield f"postgres://perudo@127.0.0.1:{listening.getsockname()[1]}/perudo"


def served_by(database: Any) -> int:
    """The server's process behind the connection of one request."""
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (number,) = cursor.fetchone()
    database.close_if_unusable_or_obsolete()  # as at the end of a request
    return int(number)


def wait_of(database: Any) -> float:
    """The seconds that an attempt to connect takes, which fails."""
    began = monotonic()
    with pytest.raises(OperationalError):
        database.ensure_connection()
    return monotonic() - began


def test_who_is_queued_behind_a_wait_in_vain_does_not_wait_too(
    silent_server: str, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second after the last failure a new wait begins."""
    monkeypatch.setattr(base, "_breaker", CircuitBreaker())
    settings = databases.postgresql(dj_database_url.parse(silent_server))
    settings["OPTIONS"]["connect_timeout"] = wait = 2  # libpq's least
    database = ConnectionHandler({"default": settings})["default"]
    with django_db_blocker.unblock():
        assert wait <= wait_of(database) < WITHIN
        assert sum(wait_of(database) for _ in range(10)) < wait  # not ten times as long
        sleep(1.1)
        assert wait <= wait_of(database)


def test_a_connection_is_kept_from_request_to_request(database: Any) -> None:
    assert len({served_by(database) for _ in range(5)}) == 1


def test_one_that_the_server_has_closed_is_replaced(database: Any, needs_postgres: str) -> None:
    first = served_by(database)
    with psycopg.connect(needs_postgres, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    assert served_by(database) != first


@pytest.mark.real_server
def test_while_the_database_is_away_nobody_waits_behind_others(
    new_site: Callable[..., LiveSite], migrated_postgres: str
) -> None:
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
            wait_for(lambda: guest.get("/").is_success, "the database is back")
