"""Results that staff should look at: pairs, gains from one other, games left just before the end.

All are of rated games within the latest thirty days, with what was to be expected beside them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from typing import Final

from django.db.models import QuerySet

from games.contract import catalogue
from games.models import RatedSeat
from games.play.ratings.maths import Entry, Strength, prospects
from games.study.ratings.of_person import scale_of

WITHIN: Final = timedelta(days=30)
MOST_PARTS: Final = 20_000  # the latest; a page must not read more
MOST_ROWS: Final = 30
FEWEST_GAMES: Final = 10  # that a pair has had
_UNLIKELY: Final = 3.0  # deviations from what was expected
_LATE: Final = 0.8  # of a game's changes


@dataclass(frozen=True, slots=True)
class Pair:
    """How often `winner` finished before `loser` in their games, and how often was expected."""

    winner: str
    loser: str
    games: int
    before: int
    expected: float

    @property
    def deviations(self) -> float:
        """By how many standard deviations, at most, it is more than expected."""
        share = self.expected / self.games
        return (self.before - self.expected) / sqrt(max(self.games * share * (1 - share), 0.25))


@dataclass(frozen=True, slots=True)
class OneSided:
    """An account that has its gains in games with one other; points."""

    gainer: str
    other: str
    games: int
    gained: float  # with this other
    elsewhere: float


@dataclass(frozen=True, slots=True)
class Leaver:
    """How many games a person left, and in how many of them only a fifth was still to come."""

    name: str
    left: int
    late: int
    games: int


def _parts(*, now: datetime) -> list[RatedSeat]:
    latest: QuerySet[RatedSeat] = RatedSeat.objects.filter(
        at__gt=now - WITHIN, left_out=RatedSeat.LeftOut.NO
    )
    rows = latest.select_related("rating__user", "seat", "game").order_by("-at")
    return list(rows[:MOST_PARTS])


@dataclass(frozen=True, slots=True)
class Found:
    """What stands out, each list with the most remarkable first."""

    pairs: list[Pair]
    one_sided: list[OneSided]
    leavers: list[Leaver]


Games = dict[int, list[RatedSeat]]


def found(*, now: datetime) -> Found:
    games: dict[int, list[RatedSeat]] = defaultdict(list)
    for part in _parts(now=now):
        games[part.game_id].append(part)
    return Found(_pairs(games), _one_sided(games), _leavers(games))


def _pairs(games: Games) -> list[Pair]:
    met: dict[tuple[str, str], list[tuple[bool, float]]] = defaultdict(list)
    for parts in games.values():
        for one in parts:
            for other in parts:
                if one.place is None or other.place is None or one.place == other.place:
                    continue
                names = one.rating.user.get_username(), other.rating.user.get_username()
                met[names].append((one.place < other.place, _chance_before(one, other)))
    pairs = [
        Pair(*names, len(results), sum(won for won, _ in results), sum(p for _, p in results))
        for names, results in met.items()
        if len(results) >= FEWEST_GAMES
    ]
    odd = [each for each in pairs if each.deviations >= _UNLIKELY]
    return sorted(odd, key=lambda each: -each.deviations)[:MOST_ROWS]


def _chance_before(one: RatedSeat, other: RatedSeat) -> float:
    """The chance that one finished before the other, by their ratings before the game."""
    entries = [
        Entry(Strength(part.mu_before or 0.0, part.sigma_before or 0.0), 1, side)
        for side, part in enumerate((one, other))
    ]
    key = one.rating.kind_key
    # Those who counted: with guests at the table, fewer than the smallest that was measured.
    seats = max(one.places or 0, catalogue.of(key).rules.SEATS.start)
    return prospects(scale_of(key), seats, seats, entries)[0].winning


def _one_sided(games: Games) -> list[OneSided]:
    gains: dict[str, float] = defaultdict(float)
    with_other: dict[tuple[str, str], list[float]] = defaultdict(list)
    for parts in games.values():
        for one in parts:
            name = one.rating.user.get_username()
            gain = (one.mu or 0.0) - (one.mu_before or 0.0)
            gains[name] += gain
            for other in parts:
                if other is not one:
                    with_other[name, other.rating.user.get_username()].append(gain)
    rows = [
        OneSided(gainer, other, len(each), sum(each), gains[gainer] - sum(each))
        for (gainer, other), each in with_other.items()
        if len(each) >= FEWEST_GAMES and sum(each) > 0 >= gains[gainer] - sum(each)
    ]
    return sorted(rows, key=lambda each: -each.gained)[:MOST_ROWS]


def _leavers(games: Games) -> list[Leaver]:
    played: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for parts in games.values():
        for part in parts:
            left = part.seat.left
            is_late = left and (part.seat.away_seq or 0) >= _LATE * part.game.seq
            played[part.rating.user.get_username()].append((left, is_late))
    rows = [
        Leaver(name, sum(left for left, _ in each), sum(late for _, late in each), len(each))
        for name, each in played.items()
    ]
    rows = [each for each in rows if each.left]
    return sorted(rows, key=lambda each: (-each.late, -each.left))[:MOST_ROWS]
