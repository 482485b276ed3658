"""The numbers of a review's chart: bands that fill the whole, and marks at their moments."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from games.study.review import review_chart
from games.study.review.review_chart import BANDS, ROW, chart

COUNT = 11


def decision(number: int, seat: int = 0, label: str | None = None, by: str = "person") -> Any:
    return {"number": number, "seat": seat, "label": label, "by": by}


def content(**parts: Any) -> dict[str, Any]:
    chances = [[1, [0.25, 0.25, 0.5]], [6, [0.1, 0.3333, 0.5666]], [9, [0.0, 0.0, 1.0]]]
    return {"chances": chances, "decisions": [], "lucky": []} | parts


def points(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (each.split(",") for each in text.split())]


def heights(corners: str) -> list[tuple[float, float]]:
    """The places of a band, and how high it is there."""
    found = points(corners)
    half = len(found) // 2
    upper, lower = found[:half], found[half:][::-1]
    assert [x for x, _ in upper] == [x for x, _ in lower]
    return [(x, low - high) for (x, high), (_, low) in zip(upper, lower, strict=True)]


def test_bands_add_up_at_every_moment_and_meet_without_a_gap() -> None:
    drawn = chart(content(), count=COUNT, rounds=[1])
    assert drawn is not None
    of_bands = [heights(band.corners) for band in drawn.bands]
    for at_a_moment in zip(*of_bands, strict=True):
        assert len({x for x, _ in at_a_moment}) == 1
        assert sum(height for _, height in at_a_moment) == pytest.approx(1, abs=1e-3)
    for band, below in zip(drawn.bands, drawn.bands[1:], strict=False):
        lower = points(band.corners)[len(points(band.corners)) // 2 :][::-1]
        assert lower == points(below.edge)


def test_a_band_is_as_high_as_the_chance_and_reaches_both_edges() -> None:
    drawn = chart(content(), count=COUNT, rounds=[1])
    assert drawn is not None
    [first] = [heights(band.corners) for band in drawn.bands if band.seat == 0]
    assert first == [
        (0.0, pytest.approx(0.25)),
        (0.0, pytest.approx(0.25)),
        (0.5, pytest.approx(0.1, abs=1e-3)),
        (0.8, 0.0),
        (1.0, 0.0),
    ]


def test_the_readers_band_is_the_lowest(subtests: pytest.Subtests) -> None:
    for reader, order in [(None, [0, 1, 2]), (0, [1, 2, 0]), (1, [2, 0, 1])]:
        with subtests.test(reader=reader):
            drawn = chart(content(), count=COUNT, rounds=[1], reader=reader)
            assert drawn is not None and [band.seat for band in drawn.bands] == order


def test_marks_are_at_their_moments_in_order_each_kind_in_a_row() -> None:
    drawn = chart(
        content(
            decisions=[
                decision(2, seat=1, label="inaccuracy"),
                decision(4),
                decision(6, label="blunder"),
                decision(11, seat=2, label="inaccuracy"),
            ],
            lucky=[[5, [0.02, -0.2, 0.18]]],
        ),
        count=COUNT,
        rounds=[1, 6],
    )
    assert drawn is not None
    low = ROW + BANDS + ROW // 2
    assert [(mark.number, mark.seat, mark.kind, mark.x, mark.y) for mark in drawn.marks] == [
        (2, 1, "inaccuracy", "10.00%", low + ROW),
        (5, 1, "lucky", "40.00%", ROW // 2),
        (6, 0, "blunder", "50.00%", low),
        (11, 2, "inaccuracy", "100.00%", low + ROW),
    ]
    assert [mark.change for mark in drawn.marks] == [0.0, -0.2, 0.0, 0.0]
    assert drawn.rounds == ["0.00%", "50.00%"]
    assert (drawn.top, drawn.height) == (ROW, ROW + BANDS + 2 * ROW)


def test_a_row_without_marks_takes_no_room() -> None:
    drawn = chart(content(), count=COUNT, rounds=[1])
    assert drawn is not None and (drawn.top, drawn.height, drawn.marks) == (0, BANDS, [])


@pytest.mark.parametrize("by", ["bot", "clock"])
def test_what_no_person_decided_is_never_marked_as_an_error(by: str) -> None:
    decisions = [decision(2, label="blunder", by=by)]
    drawn = chart(content(decisions=decisions), count=COUNT, rounds=[1])
    assert drawn is not None and not drawn.marks


@pytest.mark.parametrize("chances", [[], [[1, [None, None]]]])
def test_without_chances_there_is_no_chart(chances: list[Any]) -> None:
    assert chart(content(chances=chances), count=COUNT, rounds=[1]) is None


def test_the_latest_chances_hold_until_others_are_known() -> None:
    known = content()["chances"]
    found = [review_chart.at(known, number)[2] for number in (1, 5, 6, 8, 9, 11)]
    assert found == [0.5, 0.5, 0.5666, 0.5666, 1.0, 1.0]
    assert review_chart.at([(3, [0.5, 0.5])], 1) == [0.5, 0.5]


def test_a_game_of_one_moment_is_drawn_too() -> None:
    drawn = chart(content(chances=[[1, [0.5, 0.5]]]), count=1, rounds=[1])
    assert drawn is not None and drawn.rounds == ["0.00%"]


def test_it_needs_nothing_of_django() -> None:
    code = "import sys, games.study.review.review_chart; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
