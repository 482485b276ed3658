"""Django's PostgreSQL engine, which checks a pooled connection only when it may be broken.

With CONN_HEALTH_CHECKS Django has the pool query the server each time a connection is handed out,
which is one round trip in seven of a move. But a server that stops closes its connections, mostly
with a message: an idle connection with nothing to read still stands.
"""

from __future__ import annotations

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        while self.pool and _may_be_broken(connection) and not _is_alive(connection):
            self.pool.putconn(connection)  # which discards it; the next call opens another
            connection = super().get_new_connection(conn_params)
        return connection


def _may_be_broken(connection: psycopg.Connection) -> bool:
    if connection.closed:
        return True
    poll = select.poll()  # not `select`, which is limited to file descriptors below 1024
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def _is_alive(connection: psycopg.Connection) -> bool:
    """Query the server: what it sent may be a harmless notice, such as a changed setting."""
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.Error:
        connection.close()
        return False
    return True
