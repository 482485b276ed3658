"""Django's SQLite engine with one limit on the wait for a locked file, shared by all threads.

With SQLite's own busy timeout every statement waits separately: while another process keeps the
file locked, a request that writes twice waits twice, and so does each request queued behind it.
Here the whole process waits `TIMEOUT_SECONDS` from the first failure to get the lock. After that
writes fail at once (a circuit breaker) until one succeeds. Reads never wait in WAL mode.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, Final

from django.db.backends.sqlite3 import base

from perudo_site.circuit_breaker import CircuitBreaker

TIMEOUT_SECONDS: Final = 3.0
# Delays between retries, as in SQLite's own busy handler.
_RETRY_DELAYS_MS: Final = (1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100)
_WRITES: Final = ("BEGIN", "INSERT", "UPDATE", "DELETE", "REPLACE")

_breaker: Final = CircuitBreaker()


class Cursor(base.SQLiteCursorWrapper):
    def execute(self, query: str, params: Any = None) -> Any:
        execute = super().execute
        try:
            result = execute(query, params)
        except sqlite3.OperationalError as error:
            if not _is_busy(error):
                raise
            result = _retry(lambda: execute(query, params))
        if _breaker and query.startswith(_WRITES):
            _breaker.reset()
        return result


def _retry(execute: Callable[[], Any]) -> Any:
    """Retry until the file is unlocked or the time is up; then raise SQLite's own error."""
    started, tries = monotonic(), 0
    while True:
        now = monotonic()
        left = min(started, _breaker.record_failure(now=now)) + TIMEOUT_SECONDS - now
        sleep(max(0.0, min(left, _RETRY_DELAYS_MS[min(tries, len(_RETRY_DELAYS_MS) - 1)] / 1000)))
        tries += 1
        try:
            return execute()
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or left <= 0:
                raise


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.execute("PRAGMA busy_timeout = 0")  # the cursor waits
        return connection

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=Cursor)
