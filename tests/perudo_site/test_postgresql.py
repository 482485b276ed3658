"""Connections to PostgreSQL: kept, replaced after a restart or a failover, one wait in silence."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
import psycopg
import pytest
from django.db import OperationalError, transaction
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


@contextmanager
def read_only(address: str) -> Iterator[None]:
    """New connections to this database may only read, as at a primary that was demoted; at the end
    those made meanwhile still do, and new ones may write.
    """
    name = urlsplit(address).path.strip("/")
    with (
        new_database() as elsewhere,
        psycopg.connect(elsewhere, autocommit=True) as server,
    ):
        server.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        server.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
            [name],
        )
        try:
            yield
        finally:
            server.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")


def write(database: Any) -> None:
    with database.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS written (number int)")
        cursor.execute("INSERT INTO written VALUES (1)")


def end_request(database: Any) -> None:
    database.close_if_unusable_or_obsolete()


@pytest.mark.parametrize("in_a_transaction", [False, True])
def test_a_refused_write_is_an_outage_and_its_connection_is_not_kept(
    database: Any, needs_postgres: str, in_a_transaction: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with read_only(needs_postgres):
        with pytest.raises(OperationalError, match="read-only transaction"):
            if in_a_transaction:
                monkeypatch.setattr(transaction, "get_connection", lambda using: database)
                with transaction.atomic():
                    write(database)
            else:
                write(database)
        first = database.connection
        with database.cursor() as cursor:  # the request may still read
            cursor.execute("SELECT 1")
        assert database.connection is first
        end_request(database)
    write(database)


def test_a_connection_that_was_made_while_nothing_could_be_written_is_not_kept(
    database: Any, needs_postgres: str
) -> None:
    """A thread that only reads never meets a refusal: it would show an old state for ever."""
    with read_only(needs_postgres):
        first = served_by(database)
        assert database.write_problem() == "read-only"
        end_request(database)
    assert served_by(database) != first
    assert database.write_problem() == ""


def test_a_transaction_that_the_server_ended_for_its_silence_is_an_outage(
    database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transaction, "get_connection", lambda using: database)
    with pytest.raises(OperationalError), transaction.atomic(), database.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 50")
        sleep(0.5)
        cursor.execute("SELECT 1")
    end_request(database)
    write(database)


@pytest.mark.real_server
def test_a_site_says_that_nothing_can_be_written_and_gets_well_by_itself(
    new_site: Callable[..., LiveSite], migrated_postgres: str
) -> None:
    with new_database(like=migrated_postgres) as address:
        site = new_site(DATABASE_URL=address)
        site.start()
        with site.guest() as guest, site.client() as other:
            table = guest.post("/play-now", data={"bots": "5"}).url.path

            def say() -> int:
                words = {"phrase": "good_luck"}
                return guest.post(f"{table}/say", data=words, timeout=WITHIN).status_code

            def ready() -> tuple[int, str]:
                answer = other.get("/readyz")
                return answer.status_code, answer.text

            assert (say(), ready()) == (200, (200, "ok"))
            with read_only(address):
                for _ in range(4):  # each thread makes a connection, and keeps it if it can
                    assert guest.get(table).status_code == other.get("/rules").status_code == 200
                assert [say() for _ in range(4)] == [503] * 4
                assert ready() == (503, "read-only")
                assert other.get("/healthz").text == "ok"  # a restart would not help
                assert guest.get(table).status_code == 200
            wait_for(lambda: ready() == (200, "ok"), "the site has found who takes writes")
            assert [say() for _ in range(4)] == [200] * 4
        assert "Traceback" not in site.log


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
