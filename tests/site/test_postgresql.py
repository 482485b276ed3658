"""Pooled connections to PostgreSQL: reused without a query, unless they may be broken."""

from __future__ import annotations

import select
from collections.abc import Iterator
from typing import Any

import dj_database_url
import psycopg
import pytest
from django.db.utils import ConnectionHandler

from perudo_site import databases
from perudo_site.postgresql import base


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
