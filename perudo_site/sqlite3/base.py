"""Django's SQLite engine with a circuit breaker for waits for a locked file.

After a wait has timed out, others fail at once. SQLite's own timeout applies to each statement, so
while another process keeps the file locked, every write in the queue of a thread would wait for the
whole timeout. Reads never wait in WAL mode.

A connection that was opened while the disk refused writes can never write, so it is not kept.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any, Final

from django.db.backends.sqlite3 import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property

from perudo_site.circuit_breaker import CircuitBreaker

# In bytes; with less free space the next moves may not be stored. The write-ahead log grows by a
# thousand pages of 4 KB before it is reused.
_LEAST_FREE: Final = 1000 * 4096
_SPENT: Final = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}

_breaker: Final = CircuitBreaker()


class _ErrorWrapper(DatabaseErrorWrapper):
    """Django's wrapper, which also notes errors that make a connection useless."""

    wrapper: Any

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _SPENT:
            self.wrapper.is_spent = True
        super().__exit__(kind, error, trace)


class Cursor(base.SQLiteCursorWrapper):
    def execute(self, query: str, params: Any = None) -> Any:
        try:
            return super().execute(query, params)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                _breaker.record_failure()
            raise


class DatabaseWrapper(base.DatabaseWrapper):
    _waits = True  # for as long as the option `timeout`
    is_spent = False  # after a failed write, the connection serves only the current request

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        return _ErrorWrapper(self)

    def get_new_connection(self, conn_params: dict[str, object]) -> object:
        self.is_spent = False
        return super().get_new_connection(conn_params)

    def is_usable(self) -> bool:
        """Whether this connection can be used for another request."""
        return not self.is_spent

    def write_problem(self) -> str:
        """Return in one word why writes fail, or ""; it asks the disk and writes nothing."""
        file = Path(self.settings_dict["NAME"])
        disk = os.statvfs(file.parent)
        if disk.f_flag & os.ST_RDONLY or not os.access(file, os.W_OK):
            return "read-only"
        is_full = disk.f_blocks and disk.f_bavail * disk.f_frsize < _LEAST_FREE
        return "disk-full" if is_full else ""

    def create_cursor(self, name: str | None = None) -> object:
        if self._waits == _breaker.is_open():
            self._waits = not self._waits
            seconds = self.settings_dict["OPTIONS"]["timeout"] if self._waits else 0
            self.connection.execute(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")
        return self.connection.cursor(factory=Cursor)
