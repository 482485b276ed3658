"""Django's SQLite engine; after a wait for a locked file was in vain, others fail at once.

SQLite's own timeout counts for each statement: while another process keeps the file locked, every
write in the queue of a thread would wait for all of it. Reads never wait in WAL mode.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from django.db.backends.sqlite3 import base

from perudo_site.circuit_breaker import CircuitBreaker

_breaker: Final = CircuitBreaker()


class Cursor(base.SQLiteCursorWrapper):
    def execute(self, query: str, params: Any = None) -> Any:
        try:
            return super().execute(query, params)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                _breaker.record_failure()
            raise


class DatabaseWrapper(base.DatabaseWrapper):
    _waits = True  # as the option `timeout` says

    def create_cursor(self, name: str | None = None) -> Any:
        if self._waits == _breaker.is_open():
            self._waits = not self._waits
            seconds = self.settings_dict["OPTIONS"]["timeout"] if self._waits else 0
            self.connection.execute(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")
        return self.connection.cursor(factory=Cursor)
