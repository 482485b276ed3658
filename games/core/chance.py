"""Sources of randomness: the operating system, a repeatable seed, or a recorded script."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from secrets import SystemRandom
from typing import Any, TypeVar

from games.core.contract import Draw

T = TypeVar("T")

_system = SystemRandom()


class SystemChance:
    """Fair randomness from the operating system's generator."""

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        number = _system.randrange(6**count)  # one system call for the whole hand
        return tuple(number // 6**place % 6 + 1 for place in range(count))

    def below(self, bound: int, at: Draw | None = None) -> int:
        return _system.randrange(bound)

    def shuffled(self, items: Sequence[T], at: Draw | None = None) -> tuple[T, ...]:
        return tuple(_system.sample(items, len(items)))

    def pick(self, items: Sequence[T], at: Draw | None = None) -> T:
        return _system.choice(items)


class SeededChance:
    """Repeatable randomness from a seed, or from a generator shared with other code.

    For tests, tournaments and benchmarks; never for play.
    """

    def __init__(self, seed: int | str | random.Random) -> None:
        self._generator = seed if isinstance(seed, random.Random) else random.Random(seed)  # noqa: S311

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        return tuple(self._generator.choices(range(1, 7), k=count))

    def below(self, bound: int, at: Draw | None = None) -> int:
        return self._generator.randrange(bound)

    def shuffled(self, items: Sequence[T], at: Draw | None = None) -> tuple[T, ...]:
        return tuple(self._generator.sample(items, len(items)))

    def pick(self, items: Sequence[T], at: Draw | None = None) -> T:
        return self._generator.choice(items)


class ScriptedChance:
    """Recorded outcomes, returned in order: numbers for dice and `below`, whole results for
    shuffles and picks. Raises LookupError if the script ends or an outcome is impossible.
    """

    def __init__(self, script: Iterable[object]) -> None:
        self._script = iter(script)

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        return tuple(self._number(range(1, 7)) for _ in range(count))

    def below(self, bound: int, at: Draw | None = None) -> int:
        return self._number(range(bound))

    def shuffled(self, items: Sequence[T], at: Draw | None = None) -> tuple[T, ...]:
        result = self._next()
        if not isinstance(result, tuple) or Counter(result) != Counter(items):
            raise LookupError("the script has other items than those that are shuffled")
        return result

    def pick(self, items: Sequence[T], at: Draw | None = None) -> T:
        item: T = self._next()
        if item not in items:
            raise LookupError(f"the script picks {item!r}, which is not there")
        return item

    def _number(self, allowed: range) -> int:
        number = self._next()
        if type(number) is not int or number not in allowed:
            raise LookupError(f"the script says {number!r}, which is not in {allowed}")
        return number

    def _next(self) -> Any:
        try:
            return next(self._script)
        except StopIteration:
            raise LookupError("the script has no more numbers") from None
