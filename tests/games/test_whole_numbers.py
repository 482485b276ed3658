"""Whole numbers in place of figures that add up: they add up, and none is far off."""

from __future__ import annotations

from games.whole_numbers import whole
from tests.games.contract.random_games import seeded


def test_they_add_up_and_each_is_less_than_one_off() -> None:
    generator = seeded(4)
    for _ in range(3000):
        values = [generator.uniform(-60, 60) for _ in range(generator.randint(1, 7))]
        for total in {round(sum(values)), round(sum(values) + generator.uniform(-0.49, 0.49))}:
            if abs(sum(values) - total) >= 1:
                continue
            found = whole(values, total)
            assert sum(found) == total
            assert all(abs(a - b) < 1 + 1e-5 for a, b in zip(found, values, strict=True))


def test_what_is_whole_stays_as_it_is() -> None:
    assert whole([-20.000000001, 10.0, 3.0, 1.0], -6) == [-20, 10, 3, 1]
    assert whole([100 / 3] * 3, 100) == [34, 33, 33]
    assert whole([], 0) == []
