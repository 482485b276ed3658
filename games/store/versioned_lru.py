"""A thread-safe, versioned LRU cache. Correctness never depends on it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

Value = TypeVar("Value")

_all: WeakSet[VersionedLRU[Any]] = WeakSet()


class VersionedLRU(Generic[Value]):
    """At most `most` values by key, each with a version; the least recently stored is evicted.

    A version is a position in a log or a time. A value with an older version than the stored one is
    ignored, as it comes from a slower thread. `name` identifies the cache when debugging.
    """

    def __init__(self, most: int, *, name: str = "") -> None:
        self.most, self.name = most, name
        self._kept: OrderedDict[Hashable, tuple[float, Value]] = OrderedDict()
        self._lock = Lock()
        _all.add(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} {len(self)}/{self.most}>"

    def get(self, key: Hashable) -> tuple[float, Value] | None:
        """Return the version and the value, or None if the key is not stored."""
        return self._kept.get(key)

    def keep(self, key: Hashable, number: float, value: Value) -> None:
        """Store a value with its version, unless a newer one is stored."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] <= number:
                self._kept[key] = (number, value)
                self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)

    def forget(self, key: Hashable) -> None:
        """Remove a value, if it is stored."""
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._kept.clear()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def __len__(self) -> int:
        return len(self._kept)


def clear_all() -> None:
    """Empty all caches of this process, for tests."""
    for cache in list(_all):
        cache.clear()
