"""The lock that serialises matching across all processes, so that nobody is seated twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection, transaction

# The key of the advisory lock in PostgreSQL; nothing else in this database may use it.
_KEY: Final = 30_2


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """A transaction that runs one at a time with all other steps of matching.

    Otherwise two people who press the button at the same time would each find nobody, and wait at
    two tables. SQLite serialises writing transactions anyway.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_KEY])
        yield
