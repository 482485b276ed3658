"""What is said of throws: fair ones are as even as luck makes them, loaded ones are named."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from django.utils import translation

from games.study.fairness import LEAST, Evenness, chi_square_tail, evenness

FACES = ("1", "2", "3", "4", "5", "6")


def counted(times: Sequence[int]) -> Evenness:
    return evenness(
        FACES, {f"thrown_{face}": each for face, each in zip(FACES, times, strict=True)}
    )


def rolled(count: int, seed: int, *, weights: Sequence[float] = (1,) * 6) -> Evenness:
    chance = random.Random(seed)  # noqa: S311
    faces = Counter(chance.choices(FACES, weights, k=count))
    return counted([faces[face] for face in FACES])


@pytest.mark.parametrize(
    ("squares", "degrees", "chance"),
    [
        # As printed in tables of the distribution.
        (3.841, 1, 0.05), (6.635, 1, 0.01), (5.991, 2, 0.05), (7.815, 3, 0.05), (9.488, 4, 0.05),
        (11.070, 5, 0.05), (15.086, 5, 0.01), (20.515, 5, 0.001), (0.554, 5, 0.99),
        (12.592, 6, 0.05), (14.067, 7, 0.05),
    ],
)  # fmt: skip
def test_the_chance_is_that_of_the_tables(squares: float, degrees: int, chance: float) -> None:
    assert chi_square_tail(squares, degrees) == pytest.approx(chance, rel=2e-3)
    assert chi_square_tail(0.0, degrees) == pytest.approx(1.0)


def test_fair_dice_are_called_uneven_as_seldom_as_is_said() -> None:
    found = Counter(rolled(600, seed).verdict for seed in range(1_000))
    assert 30 <= found["uneven"] <= 70 and found["even"] >= 925
    assert found["too_even"] <= 5


def test_a_face_is_within_what_luck_allows_in_19_of_20_cases() -> None:
    inside = 0
    for seed in range(500):
        shown = rolled(600, seed)
        inside += sum(abs(each.times - 100) <= shown.luck for each in shown.outcomes)
    assert 0.95 <= inside / (500 * 6) <= 0.97


def test_a_loaded_die_is_named_the_more_clearly_the_more_often_it_was_thrown() -> None:
    loaded = (1, 1, 1, 1, 1, 1.5)
    assert rolled(200_000, 1).verdict == "even"
    found = [rolled(count, 1, weights=loaded) for count in (300, 1_500, 12_000)]
    assert [each.verdict for each in found] == ["uneven"] * 3
    seldom = [each.one_in or 0 for each in found]
    assert seldom == sorted(seldom) and seldom[-1] == 1_000_000
    assert found[-1].all_but_one == 999_999
    six = found[-1].outcomes[-1]
    assert six.at > 75 and six.times > found[-1].expected + found[-1].luck


def test_dice_that_are_dealt_out_evenly_are_named_too() -> None:
    assert (counted([200, 201, 199, 200, 200, 200]).verdict) == "too_even"


def test_nothing_is_said_of_few_throws() -> None:
    assert counted([0] * 6).verdict == counted([LEAST - 1, 0, 0, 0, 0, 0]).verdict == "too_early"
    assert counted([LEAST, 0, 0, 0, 0, 0]).verdict == "uneven"


def test_the_numbers_are_those_of_the_throws() -> None:
    with translation.override("en"):
        shown = counted([240, 200, 210, 199, 1, 390])
    assert (shown.count, shown.expected, shown.share) == (1240, 207, "16.7")
    assert shown.luck == 26
    assert [each.times for each in shown.outcomes] == [240, 200, 210, 199, 1, 390]
    assert [each.share for each in shown.outcomes][:2] == ["19.4", "16.1"]
    assert [each.more for each in shown.outcomes] == ["+33", "−7", "+3", "−8", "−206", "+183"]
    places = [each.at for each in shown.outcomes]
    assert places[1] < 50 < places[2] and places[0] > 75
    assert (places[4], places[5]) == (6, 94), "what lies far outside is shown at the edge"


def test_a_number_is_in_the_form_of_the_readers_language() -> None:
    with translation.override("fr"):
        shown = counted([12_000, 10_000, 10_000, 10_000, 10_000, 8_000])
    assert shown.outcomes[0].more == "+2\u202f000" and shown.outcomes[0].share == "20,0"


def test_without_throws_there_are_zeros() -> None:
    shown = counted([0] * 6)
    assert (shown.count, shown.expected, shown.luck) == (0, 0, 0)
    assert {(each.more, each.at) for each in shown.outcomes} == {("0", 50)}
