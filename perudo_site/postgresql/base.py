"""Django's PostgreSQL engine with a circuit breaker for failed attempts to connect.

After a failed attempt the next ones fail at once. Otherwise each request in the queue of a thread
would wait for `connect_timeout` while the server does not respond.

A server that refuses writes, as the old primary does after a failover, is an outage too. No
connection to it is kept, since a new one may lead to the new primary.
"""

from __future__ import annotations

from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper, OperationalError
from django.utils.functional import cached_property
from psycopg.errors import IdleInTransactionSessionTimeout, ReadOnlySqlTransaction

from perudo_site.circuit_breaker import CircuitBreaker

# Internal errors in psycopg's classification, but they mean that the server must not be used.
_OUTAGES: Final = (ReadOnlySqlTransaction, IdleInTransactionSessionTimeout)

_breaker: Final = CircuitBreaker()


class _ErrorWrapper(DatabaseErrorWrapper):
    """Django's wrapper, which also raises OperationalError for the errors in `_OUTAGES`."""

    wrapper: Any

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, _OUTAGES):
            self.wrapper.errors_occurred = self.wrapper.is_spent = True
            raise OperationalError(*error.args).with_traceback(trace) from error
        super().__exit__(kind, error, trace)


class DatabaseWrapper(base.DatabaseWrapper):
    is_spent = False  # after a refused write, the connection serves only the current request

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        return _ErrorWrapper(self)

    def get_new_connection(self, conn_params: dict[str, object]) -> object:
        if _breaker.is_open():
            raise psycopg.OperationalError("no connection a moment ago")
        try:
            connection = super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            _breaker.record_failure()
            raise
        self.is_spent = False
        return connection

    def is_usable(self) -> bool:
        """Whether this connection can be used for another request: to read and to write.

        Django asks this at the beginning of each request, and at the end of one with an error.
        """
        if self.is_spent or self.connection is None:
            return False
        try:
            with self.connection.cursor() as cursor:  # not Django's: it is no query of the site
                return not _is_read_only(cursor)
        except psycopg.Error:
            return False

    def write_problem(self) -> str:
        """Return in one word why writes fail, or ""; it asks the server and writes nothing."""
        with self.cursor() as cursor:
            return "read-only" if _is_read_only(cursor) else ""


def _is_read_only(cursor: Any) -> bool:
    cursor.execute("SHOW transaction_read_only")
    return bool(cursor.fetchone()[0] == "on")
