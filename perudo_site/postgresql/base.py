"""Django's PostgreSQL engine; after an attempt to connect has failed, those behind it fail at once.

Without that each request in the queue of a thread would wait for `connect_timeout` while the server
is away without a word.
"""

from __future__ import annotations

from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base

from perudo_site.circuit_breaker import CircuitBreaker

_breaker: Final = CircuitBreaker()


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if _breaker.is_open():
            raise psycopg.OperationalError("no connection a moment ago")
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            _breaker.record_failure()
            raise
