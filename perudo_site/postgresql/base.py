"""Django's PostgreSQL engine, which checks a pooled connection only when it may be broken.

With CONN_HEALTH_CHECKS Django has the pool query the server each time a connection is handed out,
which is one round trip in seven of a move. But a server that stops closes its connections, mostly
with a message: an idle connection with nothing to read still stands.

While the server is away the first request waits for the pool's timeout; those that were queued
behind it, and others within a second, fail at once (a circuit breaker).
"""

from __future__ import annotations

import select
from time import monotonic
from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool, PoolTimeout

from perudo_site.circuit_breaker import CircuitBreaker

# Time enough to be given a connection that is ready, or that the pool has just asked for.
_SHORT_TIMEOUT_SECONDS: Final = 0.02

_breaker: Final = CircuitBreaker()


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not self.pool:
            return super().get_new_connection(conn_params)
        connection = self._from_pool(conn_params)
        while _may_be_broken(connection) and not _is_alive(connection):
            self.pool.putconn(connection)  # which discards it; the next call opens another
            connection = self._from_pool(conn_params)
        _breaker.reset()
        return connection

    def _from_pool(self, conn_params: dict[str, Any]) -> Any:
        timeout: float = self.settings_dict["OPTIONS"]["pool"]["timeout"]
        is_open = _breaker.is_open(now=monotonic())
        # Django asks the pool without a timeout of its own.
        self.pool.timeout = _SHORT_TIMEOUT_SECONDS if is_open else timeout
        try:
            return super().get_new_connection(conn_params)
        except PoolTimeout:
            _breaker.record_failure(now=monotonic())
            raise


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
