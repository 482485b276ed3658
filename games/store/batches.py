"""Reads many rows in batches, so that memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)

_AT_ONCE = 50


def in_batches(rows: QuerySet[Row]) -> Iterator[Row]:
    """The rows by primary key; each batch is a query for the rows after the last one (keyset).

    No cursor stays open between two batches, so the caller may be slow and the connection may
    change meanwhile. It is no snapshot: a row that is added meanwhile is read as well.
    """
    rows, last = rows.order_by("pk"), 0
    while batch := list(rows.filter(pk__gt=last)[:_AT_ONCE]):
        yield from batch
        last = batch[-1].pk
        if len(batch) < _AT_ONCE:
            return
