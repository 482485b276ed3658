"""Rounding of figures to whole numbers that still add up."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor


def whole(values: Sequence[float], total: int) -> list[int]:
    """Round the values to whole numbers with the sum `total`, which differs from theirs by under 1.

    Each value becomes its floor or one more, by the method of largest remainders.
    """
    values = [round(value, 6) for value in values]  # so that −20.0 stays −20
    found = [floor(value) for value in values]
    order = sorted(range(len(values)), key=lambda at: found[at] - values[at])
    for at in order[: total - sum(found)]:
        found[at] += 1
    return found
