"""Django's SQLite with one limit on the wait for a locked file, shared by all threads.

With SQLite's own busy timeout every statement waits anew: with a file that another process keeps
locked, a request that writes twice waits twice, and so does each of those queued behind it. Here
the whole process waits `PATIENCE_SECONDS` from the moment the lock was first met. After that
writers fail at once (a circuit breaker) until a write succeeds. Reads never wait in WAL mode.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from threading import Lock
from time import monotonic, sleep
from typing import Any, Final

from django.db.backends.sqlite3 import base

PATIENCE_SECONDS: Final = 3.0
# A lock met so long ago, and not since, says nothing about the next one.
_FORGOTTEN_AFTER_SECONDS: Final = 1.0
# From one try to the next, as SQLite's own busy handler does it.
_PAUSES_MS: Final = (1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100)
_WRITES: Final = ("BEGIN", "INSERT", "UPDATE", "DELETE", "REPLACE")


class Blockage:
    """Since when this process has met the lock without a write in between; safe for threads."""

    def __init__(self) -> None:
        self._mutex = Lock()
        self._since: float | None = None
        self._last_met = 0.0

    def __bool__(self) -> bool:
        return self._since is not None

    def met(self, *, now: float) -> float:
        """Note that the lock was met (seconds of time.monotonic); since when, answered."""
        with self._mutex:
            if self._since is None or now - self._last_met > _FORGOTTEN_AFTER_SECONDS:
                self._since = now
            self._last_met = now
            return self._since

    def over(self) -> None:
        with self._mutex:
            self._since = None


_blockage: Final = Blockage()


class Cursor(base.SQLiteCursorWrapper):
    def execute(self, query: str, params: Any = None) -> Any:
        execute = super().execute
        try:
            done = execute(query, params)
        except sqlite3.OperationalError as refused:
            if not _is_busy(refused):
                raise
            done = _once_unlocked(lambda: execute(query, params))
        if _blockage and query.startswith(_WRITES):
            _blockage.over()
        return done


def _once_unlocked(execute: Callable[[], Any]) -> Any:
    """Try again until the file is unlocked or patience ends; then SQLite's own error."""
    began, tries = monotonic(), 0
    while True:
        now = monotonic()
        left = min(began, _blockage.met(now=now)) + PATIENCE_SECONDS - now
        sleep(max(0.0, min(left, _PAUSES_MS[min(tries, len(_PAUSES_MS) - 1)] / 1000)))
        tries += 1
        try:
            return execute()
        except sqlite3.OperationalError as refused:
            if not _is_busy(refused) or left <= 0:
                raise


def _is_busy(refused: sqlite3.OperationalError) -> bool:
    return refused.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.execute("PRAGMA busy_timeout = 0")  # the cursor waits
        return connection

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=Cursor)
