"""Django's SQLite engine with one limit on the wait for a locked file, shared by all threads.

With SQLite's own busy timeout every statement waits separately: while another process keeps the
file locked, a request that writes twice waits twice, and so does each request queued behind it.
Here the whole process waits `TIMEOUT_SECONDS` from the first failure to get the lock. After that
writes fail at once (a circuit breaker) until one succeeds. Reads never wait in WAL mode.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from threading import Lock
from time import monotonic, sleep
from typing import Any, Final

from django.db.backends.sqlite3 import base

TIMEOUT_SECONDS: Final = 3.0
# After this long without a failure the next one starts a new wait.
_RESET_AFTER_SECONDS: Final = 1.0
# Delays between retries, as in SQLite's own busy handler.
_RETRY_DELAYS_MS: Final = (1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100)
_WRITES: Final = ("BEGIN", "INSERT", "UPDATE", "DELETE", "REPLACE")


class CircuitBreaker:
    """Since when this process has failed to get the lock, without a write between; thread-safe."""

    def __init__(self) -> None:
        self._mutex = Lock()
        self._since: float | None = None
        self._last_failure = 0.0

    def __bool__(self) -> bool:
        return self._since is not None

    def record_failure(self, *, now: float) -> float:
        """Record a failure at `now` (time.monotonic); return when the first of the row was."""
        with self._mutex:
            if self._since is None or now - self._last_failure > _RESET_AFTER_SECONDS:
                self._since = now
            self._last_failure = now
            return self._since

    def reset(self) -> None:
        with self._mutex:
            self._since = None


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
