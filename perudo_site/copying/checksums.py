"""Counts and checksums of tables that are the same on every database.

They are of values, not of their text: the format of a time and the order of JSON keys don't matter.
The order of rows does not matter either, since databases sort text differently.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

from perudo_site.copying.tables import Row

_BITS: Final = 128
_EXACT: Final = 2**53  # from here on not every integer has an exact float


@dataclass(frozen=True, slots=True)
class Checksum:
    """The count and the checksum of some rows."""

    count: int = 0
    total: int = 0

    def __str__(self) -> str:
        return f"{self.total:0{_BITS // 4}x}"[:16]


def checksum(rows: Iterable[Row], *, json_at: set[int]) -> Checksum:
    """Return the checksum of rows; the columns at `json_at` hold JSON as text."""
    count = total = 0
    for row in rows:
        values = tuple(
            _json(value) if index in json_at else canonical(value)
            for index, value in enumerate(row)
        )
        digest = blake2b(repr(values).encode(), digest_size=_BITS // 8).digest()
        count, total = count + 1, total + int.from_bytes(digest)
    return Checksum(count, total % 2**_BITS)


def canonical(value: object) -> object:
    """Return a value with the same `repr` for every database; TypeError for an unknown type."""
    write = _WRITERS.get(type(value))
    if write is None:
        raise TypeError(f"nobody has said how a {type(value).__name__} is compared")
    return write(value)


def _json(text: str | None) -> str | None:
    return None if text is None else json.dumps(_number(json.loads(text)), sort_keys=True)


def _number(value: object) -> object:
    """Normalise the numbers in JSON: PostgreSQL, for example, writes 1e+22 with all its zeros."""
    if isinstance(value, dict):
        return {key: _number(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_number(each) for each in value]
    if isinstance(value, float) or (type(value) is int and abs(value) >= _EXACT):
        return float(value) + 0.0  # PostgreSQL has no -0.0
    return value


def _same(value: Any) -> Any:
    return value


_WRITERS: Final[dict[type, Callable[[Any], Any]]] = {
    type(None): _same,
    bool: _same,
    int: _same,
    str: _same,
    bytes: _same,
    memoryview: bytes,
    float: lambda value: value + 0.0,
    Decimal: lambda value: str(value.normalize()),
    UUID: str,
    datetime: lambda value: value.astimezone(UTC).isoformat() if value.tzinfo else repr(value),
    date: str,
    time: str,
    timedelta: repr,
    tuple: repr,
}
