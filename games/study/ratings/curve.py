"""The curve of a rating over its games, with a band for its doubt, as corners of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.models import RatedSeat

WIDTH: Final = 600
HEIGHT: Final = 160  # as in games/_ratings.html
FEWEST: Final = 3  # games that make a curve
_STEPS: Final = (50, 100, 200, 500, 1000)
_MOST_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class Line:
    """A horizontal line of the grid, from the top, and its rating."""

    y: str
    rating: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Points as SVG takes them: the rating after each game, and the band of one deviation."""

    rating: str
    band: str
    lines: Sequence[Line]
    first: int  # the ratings at both ends
    last: int
    games: int
    width: int = WIDTH
    height: int = HEIGHT


def curve_of(parts: Sequence[RatedSeat]) -> Curve | None:
    """The curve of these rated games, in their order; None for fewer than FEWEST."""
    if len(parts) < FEWEST:
        return None
    values = [(parts[0].mu_before or 0.0, parts[0].sigma_before or 0.0)]
    values += [(part.mu or 0.0, part.sigma or 0.0) for part in parts]
    low = min(mu - sigma for mu, sigma in values)
    high = max(mu + sigma for mu, sigma in values)

    def point(at: int, value: float) -> str:
        return f"{WIDTH * at / (len(values) - 1):.1f},{_y(value, low, high):.1f}"

    upper = [point(at, mu + sigma) for at, (mu, sigma) in enumerate(values)]
    lower = [point(at, mu - sigma) for at, (mu, sigma) in enumerate(values)]
    return Curve(
        rating=" ".join(point(at, mu) for at, (mu, _) in enumerate(values)),
        band=" ".join([*upper, *lower[::-1]]),
        lines=[Line(f"{_y(each, low, high):.1f}", each) for each in _round_numbers(low, high)],
        first=round(values[0][0]),
        last=round(values[-1][0]),
        games=len(parts),
    )


def _y(value: float, low: float, high: float) -> float:
    return HEIGHT * (high - value) / (high - low)


def _round_numbers(low: float, high: float) -> list[int]:
    step = next((each for each in _STEPS if (high - low) / each <= _MOST_LINES), _STEPS[-1])
    first = int(low // step + 1) * step
    return list(range(first, int(high) + 1, step))
