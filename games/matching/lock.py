"""One step of matching at a time, whatever the number of processes: nobody can sit twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection, transaction

# Of the advisory lock in PostgreSQL; any number that nothing else of this database uses.
_KEY: Final = 30_2


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """A transaction that no other of matching overlaps.

    Two people who press in the same instant would each find nobody, and wait for ever side by side.
    In SQLite a transaction that writes is alone anyway.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_KEY])
        yield
