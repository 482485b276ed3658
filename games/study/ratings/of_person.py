"""The ratings of a person as their page shows them: how strong, how sure, where, against whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Avg, Count

from accounts.models import User
from games import words
from games.contract import catalogue
from games.models import RatedSeat, Rating, Result
from games.play.ratings import maths
from games.play.ratings.maths import Strength
from games.regional_formats import decimal
from games.study.ratings import board
from games.study.ratings.curve import Curve, curve_of

# The curve shows this many of the latest games, and friends are compared in as many.
MOST_GAMES: Final = 200
# The strength lies within so many deviations of the rating in 19 cases of 20.
_NEARLY_SURELY: Final = 1.96


@dataclass(frozen=True, slots=True)
class AtTable:
    """How a person did at tables of one size, places as words: "2.1"."""

    places: int
    games: int
    place: str
    expected: str


@dataclass(frozen=True, slots=True)
class Against:
    """Games together of a person and a friend of theirs, and in how many they finished before."""

    name: str
    username: str
    avatar: Mapping[str, str]
    games: int
    before: int


@dataclass(frozen=True, slots=True)
class PersonsRating:
    """A person's rating of one game, in the active language."""

    game: str
    game_mark: str
    rating: str  # "1512", with "?" until it is known
    is_known: bool
    doubt: int  # in points, more after an absence
    low: int  # the strength lies nearly surely between them
    high: int
    games: int
    place: int | None  # among the known, as far as `board.LAST_PLACE`
    curve: Curve | None
    tables: Sequence[AtTable]


def of_person(person: User, *, now: datetime) -> list[PersonsRating]:
    """The person's ratings by rated games, in the order of the catalogue."""
    ratings = {each.kind_key: each for each in Rating.objects.filter(user=person, games__gt=0)}
    return [
        _of_rating(ratings[kind.key], now=now) for kind in catalogue.every() if kind.key in ratings
    ]


def against(person: User, friends: Sequence[User]) -> list[Against]:
    """The person's finished games with each of these friends, the most frequent first.

    Games that one of them left count for neither; nor do shared places.
    """
    if not friends:
        return []
    mine = Result.objects.filter(user=person, left=False).order_by("-finished_at", "-seat")
    games = dict(mine.values_list("seat__game", "place")[:MOST_GAMES])
    theirs = Result.objects.filter(seat__game__in=games, user__in=friends, left=False)
    met: dict[int, list[int]] = {}
    for user, game, place in theirs.values_list("user", "seat__game", "place"):
        if place != games[game]:
            met.setdefault(user, []).append(games[game] < place)
    found = [
        Against(
            name=friend.shown_name,
            username=friend.get_username(),
            avatar=friend.avatar,
            games=len(met[friend.pk]),
            before=sum(met[friend.pk]),
        )
        for friend in friends
        if friend.pk in met
    ]
    return sorted(found, key=lambda each: -each.games)


def _of_rating(rating: Rating, *, now: datetime) -> PersonsRating:
    scale = scale_of(rating.kind_key)
    days = (now - rating.last_at).total_seconds() / 86_400 if rating.last_at else 0.0
    strength = maths.after_absence(scale, Strength(rating.mu, rating.sigma), days)
    parts = RatedSeat.objects.filter(rating=rating, left_out=RatedSeat.LeftOut.NO)
    latest = parts.filter(number__isnull=False).order_by("-at", "-number")[:MOST_GAMES]
    is_known = maths.is_known(strength, rating.games)
    return PersonsRating(
        game=rating.kind_key,
        game_mark=words.game_mark(rating.kind_key),
        rating=maths.in_digits(strength, rating.games),
        is_known=is_known,
        doubt=round(strength.sigma),
        low=round(strength.mu - _NEARLY_SURELY * strength.sigma),
        high=round(strength.mu + _NEARLY_SURELY * strength.sigma),
        games=rating.games,
        place=board.place_of(rating, now=now),
        curve=curve_of(list(latest)[::-1]),
        tables=_tables(parts),
    )


def _tables(parts: Any) -> list[AtTable]:
    rows = (
        parts.filter(number__isnull=False)
        .values("places")
        .annotate(games=Count("pk"), place=Avg("place"), expected=Avg("expected"))
        .order_by("places")
    )
    return [
        AtTable(row["places"], row["games"], decimal(row["place"], 1), decimal(row["expected"], 1))
        for row in rows
    ]


def scale_of(kind_key: str) -> Any:
    """The scale of a game that has ratings."""
    part = catalogue.of(kind_key).ratings
    assert part is not None  # noqa: S101
    return part.SCALE


def export(person: User) -> dict[str, object]:
    """The person's ratings and what each rated game changed, as plain values ready for JSON."""
    parts = RatedSeat.objects.filter(rating__user=person).select_related("game", "rating")
    return {
        "ratings": [
            {
                "game": rating.kind_key,
                "rating": rating.mu,
                "doubt": rating.sigma,
                "games": rating.games,
                "changes": [
                    {
                        "game": part.game.code,
                        "left_out": part.left_out,
                        "weight": part.weight,
                        "place": part.place,
                        "places": part.places,
                        "expected_place": part.expected,
                        "chance_to_win": part.chance,
                        "before": part.mu_before,
                        "after": part.mu,
                        "doubt_before": part.sigma_before,
                        "doubt_after": part.sigma,
                    }
                    for part in parts
                    if part.rating_id == rating.pk
                ],
            }
            for rating in Rating.objects.filter(user=person)
        ]
    }
