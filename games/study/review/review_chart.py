"""The chart of a review as plain values: the chances of all seats over the game, and the marks.

Nothing here imports Django. Lengths are strings, so that templates don't localise them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from games.study.review.content import Content

T = TypeVar("T")

BANDS: Final = 160  # pixels
ROW: Final = 24  # pixels, the height of a row of marks
LUCKY: Final = "lucky"
ERRORS: Final = ("blunder", "mistake", "inaccuracy")  # one row each, the worst next to the bands


@dataclass(frozen=True, slots=True)
class Band:
    """The band of a seat's chance: its corners in a square of 1 by 1, and its upper edge."""

    seat: int
    corners: str
    edge: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark at a moment: an error of a seat, or its luck."""

    number: int  # of the moment, from 1
    seat: int
    kind: str  # LUCKY, or one of ERRORS
    x: str  # per cent of the width
    y: int  # pixels
    change: float  # the change of the seat's chance by luck; 0 for an error


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart for one reader; heights are pixels."""

    bands: Sequence[Band]  # from the top
    rounds: Sequence[str]  # the start of each round, in per cent of the width
    marks: Sequence[Mark]  # in the order of moments
    top: int  # the top of the bands
    height: int


def chart(
    content: Content, *, count: int, rounds: Iterable[int], reader: int | None = None
) -> Chart | None:
    """The chart of a review (see `optional_parts.Judge`) of a game with `count` moments.

    `rounds` are the moments at which rounds begin. The band of the reader's seat is at the bottom.
    None if the judge has computed no chances.
    """
    known = [(number, row) for number, row in content["chances"] if None not in row]
    if not known:
        return None
    found = [*_errors(content["decisions"]), *_luck(content["lucky"])]
    kinds = {kind for _, _, kind, _ in found}
    top = ROW if LUCKY in kinds else 0
    rows = {LUCKY: ROW // 2}
    shown = [kind for kind in ERRORS if kind in kinds]
    rows |= {kind: top + BANDS + ROW // 2 + ROW * row for row, kind in enumerate(shown)}
    return Chart(
        bands=_bands(known, count, reader),
        rounds=[place(number, count) for number in rounds],
        marks=[
            Mark(number, seat, kind, place(number, count), rows[kind], change)
            for number, seat, kind, change in sorted(found)
        ],
        top=top,
        height=top + BANDS + ROW * len(shown),
    )


def place(number: int, count: int) -> str:
    """The horizontal position of a moment, from 1, in per cent of the width."""
    return f"{100 * _along(number, count):.2f}%"


def at(chances: Sequence[tuple[int, T]], number: int) -> T:
    """The latest known chances at a moment; before the first ones, the first."""
    return next((row for known, row in reversed(chances) if known <= number), chances[0][1])


def _along(number: int, count: int) -> float:
    return (number - 1) / max(1, count - 1)


def _errors(decisions: Iterable[Content]) -> Iterable[tuple[int, int, str, float]]:
    for each in decisions:
        if each["label"] and each["by"] == "person":
            yield each["number"], each["seat"], each["label"], 0.0


def _luck(lucky: Iterable[tuple[int, Sequence[float]]]) -> Iterable[tuple[int, int, str, float]]:
    """The moments of luck, each with the seat whose chance changed most."""
    for number, changes in lucky:
        seat = max(range(len(changes)), key=lambda each: abs(changes[each]))
        yield number, seat, LUCKY, changes[seat]


def _bands(
    known: Sequence[tuple[int, Sequence[float]]], count: int, reader: int | None
) -> list[Band]:
    """The bands from the top; the first and last known chances extend to the chart's edges."""
    seats = len(known[0][1])
    lowest = seats - 1 if reader is None else reader
    order = [(lowest + 1 + step) % seats for step in range(seats)]
    points = [(_along(number, count), _edges(row, order)) for number, row in known]
    points = [(0.0, points[0][1]), *points, (1.0, points[-1][1])]
    lines = [[_point(x, edges[line]) for x, edges in points] for line in range(seats + 1)]
    return [
        Band(seat, " ".join(lines[line] + lines[line + 1][::-1]), " ".join(lines[line]))
        for line, seat in enumerate(order)
    ]


def _edges(row: Sequence[float], order: Sequence[int]) -> list[float]:
    """The borders of the bands, from 0 at the top to 1, scaled so that rounded chances fill it."""
    whole, edges = sum(row), [0.0]
    for seat in order:
        edges.append(edges[-1] + row[seat] / whole)
    return [*edges[:-1], 1.0]


def _point(x: float, y: float) -> str:
    return f"{x:.4f},{y:.4f}"
