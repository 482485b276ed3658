"""Django's PostgreSQL, which asks whether a pooled connection still stands only when in doubt.

Django has the pool ask the server each time a connection is handed out (CONN_HEALTH_CHECKS), which
is one trip in seven of a move. But a server that goes hangs up, mostly with a last word: where
nobody has asked anything and nothing is there to be read, the connection stands.
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
        while self.pool and _is_in_doubt(connection) and not _answers(connection):
            self.pool.putconn(connection)  # which throws it away and makes another
            connection = super().get_new_connection(conn_params)
        return connection


def _is_in_doubt(connection: psycopg.Connection) -> bool:
    if connection.closed:
        return True
    line = select.poll()  # not `select`, which knows the first 1024 files of a process only
    line.register(connection.fileno(), select.POLLIN)
    return bool(line.poll(0))


def _answers(connection: psycopg.Connection) -> bool:
    """It may have been a word in passing: a setting has changed, or a line its keys."""
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.Error:
        connection.close()
        return False
    return True
