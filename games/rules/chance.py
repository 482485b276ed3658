"""Luck: the real one, and one that is written down beforehand."""

from __future__ import annotations

from collections.abc import Iterable
from secrets import SystemRandom

_system = SystemRandom()


class SystemChance:
    """Fair dice from the operating system's generator."""

    def dice(self, count: int) -> tuple[int, ...]:
        many = _system.randrange(6**count)  # one call of the system for the whole hand
        return tuple(many // 6**place % 6 + 1 for place in range(count))

    def below(self, bound: int) -> int:
        return _system.randrange(bound)


class ScriptedChance:
    """Chance that was written down: hands out recorded numbers in order, then fails loudly."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._numbers = iter(numbers)

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(self._next(range(1, 7)) for _ in range(count))

    def below(self, bound: int) -> int:
        return self._next(range(bound))

    def _next(self, allowed: range) -> int:
        try:
            number = next(self._numbers)
        except StopIteration:
            raise LookupError("the script has no more numbers") from None
        if number not in allowed:
            raise LookupError(f"the script says {number}, which is not in {allowed}")
        return number
