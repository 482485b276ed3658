"""Seating by strength, where more people wait than one table holds, and nobody waits longer for it.

A strength is that of a person's rating, in points (docs/ratings.md); without one, a newcomer's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Final

from games.contract import catalogue
from games.models import Rating, Search

# Two tables are made of one only if their people differ by this many points on average.
WORTH_IT: Final = 100.0


def of(people: Collection[int], kind_key: str) -> Mapping[int, float]:
    """Return the strength of each of these users; nothing for a game without ratings."""
    ratings = catalogue.of(kind_key).ratings
    if ratings is None:
        return {}
    rated = Rating.objects.filter(user__in=people, kind_key=kind_key)
    return dict.fromkeys(people, ratings.SCALE.start) | dict(rated.values_list("user", "mu"))


def nearest(user: int, companies: Sequence[Collection[int]], kind_key: str) -> int:
    """Return the index of the company whose mean strength is nearest to this user's.

    Of several, the first; none of the companies may be empty.
    """
    strengths = of({user, *(each for company in companies for each in company)}, kind_key)
    if not strengths:
        return 0
    distances = [
        abs(fmean(strengths[each] for each in company) - strengths[user]) for company in companies
    ]
    return distances.index(min(distances))


def half_around(newcomer: Search, company: Sequence[Search], kind_key: str) -> list[Search] | None:
    """Return who of a full table should play with the newcomer instead, by strength.

    The others stay; each half has as many people as the game needs. None if nobody should: the
    halves would hardly differ.
    """
    people = [*company, newcomer]
    strengths = of([each.user_id for each in people], kind_key)
    middle, fewest = len(people) // 2, catalogue.of(kind_key).rules.SEATS.start
    if not strengths or middle < fewest:
        return None
    ordered = sorted(people, key=lambda each: strengths[each.user_id])
    weaker, stronger = ordered[:middle], ordered[middle:]
    weak, strong = (fmean(strengths[each.user_id] for each in half) for half in (weaker, stronger))
    if strong - weak < WORTH_IT:
        return None
    half = weaker if newcomer in weaker else stronger
    return [each for each in half if each is not newcomer]
