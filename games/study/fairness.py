"""How evenly chance has thrown in finished games, and how much of that luck explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, erfc, exp, pi, sqrt
from typing import Final, Literal

from accounts.models import User
from games import regional_formats
from games.contract import catalogue
from games.models import SiteTally, Tally
from games.play.throws import PREFIX

# With fewer throws nothing is said about them; from this number on the test of six outcomes is
# right to a twentieth of each chance down to one in a thousand.
LEAST: Final = 120
# What is called rare: one in so many.
ONE_IN: Final = (20, 100, 1_000, 1_000_000)
_TOO_EVEN: Final = 1_000
_19_OF_20: Final = 1.96  # standard deviations to both sides
_LUCK_AT: Final = 25  # from the middle of the drawing
_EDGE: Final = 6  # of the drawing, where all that is beyond it is shown

Verdict = Literal["too_early", "even", "uneven", "too_even"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often an outcome came up. `more`: than expected, with a sign.

    `at` is where that lies in a drawing from 0 to 100, in which luck allows 25 to 75.
    """

    key: str
    times: int
    share: str
    more: str
    at: int


@dataclass(frozen=True, slots=True)
class Evenness:
    """A number of throws, by outcome, beside what is expected of each.

    `luck`: how far from that luck takes an outcome, in 19 of 20 cases at most. `one_in`: an
    `uneven` verdict is met as seldom as this by luck, likewise one of `too_even`.
    """

    count: int
    expected: int
    share: str
    luck: int
    outcomes: Sequence[Outcome]
    verdict: Verdict
    one_in: int | None = None

    @property
    def all_but_one(self) -> int:
        return (self.one_in or 1) - 1


def of_person(person: User, kind: catalogue.GameKind) -> Evenness:
    """What this person's seats threw in a game that has `throws`."""
    rows = Tally.objects.filter(user=person, kind_key=kind.key, counter__startswith=PREFIX)
    return evenness(_outcomes(kind), dict(rows.values_list("counter", "value")))


def of_site(kind: catalogue.GameKind) -> Evenness:
    """What all seats threw in a game that has `throws`."""
    return evenness(_outcomes(kind), SiteTally.objects.counted(kind.key))


def _outcomes(kind: catalogue.GameKind) -> Sequence[str]:
    assert kind.throws is not None  # noqa: S101
    return kind.throws.OUTCOMES


def evenness(outcomes: Sequence[str], counters: Mapping[str, int]) -> Evenness:
    """Compare these counters of `play.throws` with equal chances, numbers in the reader's form."""
    times = [counters.get(f"{PREFIX}{key}", 0) for key in outcomes]
    count, kinds = sum(times), len(times)
    expected = count / kinds
    luck = ceil(_19_OF_20 * sqrt(expected * (1 - 1 / kinds)))
    verdict, one_in = _judged(times)
    return Evenness(
        count=count,
        expected=round(expected),
        share=_percent(1, kinds),
        luck=luck,
        outcomes=[
            Outcome(
                key=key,
                times=each,
                share=_percent(each, count),
                more=_signed(each - expected),
                at=_place(each - expected, luck),
            )
            for key, each in zip(outcomes, times, strict=True)
        ],
        verdict=verdict,
        one_in=one_in,
    )


def _judged(times: Sequence[int]) -> tuple[Verdict, int | None]:
    if sum(times) < LEAST:
        return "too_early", None
    chance = chance_of(times)
    if 1 - chance < 1 / _TOO_EVEN:
        return "too_even", _TOO_EVEN
    rare = [one_in for one_in in ONE_IN if chance < 1 / one_in]
    return ("uneven", rare[-1]) if rare else ("even", None)


def chance_of(times: Sequence[int]) -> float:
    """Return the chance that equally likely outcomes come out at least as unevenly as this.

    Pearson's chi-square test, with the distribution in closed form.
    """
    expected = sum(times) / len(times)
    squares = sum((each - expected) ** 2 for each in times) / expected
    return chi_square_tail(squares, len(times) - 1)


def chi_square_tail(squares: float, degrees: int) -> float:
    """Return the chance that a chi-square of so many degrees of freedom is at least `squares`."""
    half = squares / 2
    if degrees % 2:
        whole, term, step = erfc(sqrt(half)), 2 * sqrt(half / pi) * exp(-half), 1.5
    else:
        whole, term, step = 0.0, exp(-half), 1.0
    for number in range(degrees // 2):
        whole += term
        term *= half / (step + number)
    return whole


def _percent(part: int, count: int) -> str:
    return regional_formats.decimal(100 * part / count if count else 0, 1)


def _signed(more: float) -> str:
    number = regional_formats.number(abs(round(more)))
    return number if not round(more) else f"{'+' if more > 0 else '−'}{number}"


def _place(more: float, luck: int) -> int:
    at = 50 + _LUCK_AT * more / luck if luck else 50
    return max(_EDGE, min(100 - _EDGE, round(at)))
