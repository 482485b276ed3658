"""What a process remembers by key, each thing as of a number: the newest wins, the oldest goes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Newest(Generic[Value]):
    """A memory shared by threads; it spares work and never decides anything.

    A value is kept with the number it is as of, a place in a log or a moment. A slower thread
    that comes with an older one is not heard. Beyond `most` keys the longest unused is forgotten.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[Hashable, tuple[float, Value]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> tuple[float, Value] | None:
        """The number and the value; None for what was never kept or is forgotten."""
        return self._kept.get(key)

    def keep(self, key: Hashable, number: float, value: Value) -> None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] <= number:
                self._kept[key] = (number, value)
                self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)

    def forget(self, key: Hashable) -> None:
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def __len__(self) -> int:
        return len(self._kept)
