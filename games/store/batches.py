"""Reading of many rows in batches, so that memory use does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)

_AT_ONCE = 50


def in_batches(rows: QuerySet[Row]) -> Iterator[Row]:
    """Yield the rows by primary key, with one query per batch (keyset pagination).

    No cursor stays open between batches, so the caller may be slow and the connection may change.
    This is not a snapshot: rows that are added in the meantime are read as well.
    """
    rows, last = rows.order_by("pk"), 0
    while batch := list(rows.filter(pk__gt=last)[:_AT_ONCE]):
        yield from batch
        last = batch[-1].pk
        if len(batch) < _AT_ONCE:
            return
