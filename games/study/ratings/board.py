"""The leaderboard of a game, the people around oneself, and one's friends among themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Q, QuerySet, Sum

from accounts.models import User
from games.models import LISTED_GAMES, RatedSeat, Rating
from games.play.ratings.maths import KNOWN_DOUBT, Strength, in_digits
from games.regional_formats import decimal

FEWEST_PEOPLE: Final = 10  # who qualify, before there is a leaderboard
MOST_PEOPLE: Final = 50
AROUND: Final = 5  # people shown above and below oneself
ACTIVE_FOR: Final = timedelta(days=30)  # since one's latest game
LAST_PLACE: Final = 1_000  # places beyond it are not counted


@dataclass(frozen=True, slots=True)
class Row:
    """A person on a leaderboard; `place` is None among friends."""

    place: int | None
    name: str
    username: str
    avatar: Mapping[str, str]
    rating: str
    doubt: int
    games: int
    is_me: bool


@dataclass(frozen=True, slots=True)
class ThisMonth:
    """What a person won this month, of rated games, and what was to be expected of them."""

    name: str
    username: str
    avatar: Mapping[str, str]
    games: int
    won: int
    expected: float
    is_me: bool

    @property
    def more(self) -> float:
        return self.won - self.expected

    @property
    def expected_in_words(self) -> str:
        return decimal(self.expected, 1)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """`top` is empty while fewer than FEWEST_PEOPLE qualify; `around` if the reader is in it."""

    qualify: int  # FEWEST_PEOPLE at most
    top: Sequence[Row]
    around: Sequence[Row]


def leaderboard(kind_key: str, *, me: User | None, now: datetime) -> Leaderboard:
    listed = _listed(kind_key, now=now)
    qualify = listed[:FEWEST_PEOPLE].count()
    if qualify < FEWEST_PEOPLE:
        return Leaderboard(qualify, [], [])
    top = list(listed.select_related("user")[:MOST_PEOPLE])
    rows = [_row(each, place, me) for place, each in enumerate(top, start=1)]
    mine = None if me is None else listed.filter(user=me).select_related("user").first()
    if mine is None or mine in top:
        return Leaderboard(qualify, rows, [])
    return Leaderboard(qualify, rows, _around(listed, mine, me))


def _around(listed: QuerySet[Rating], mine: Rating, me: User | None) -> list[Row]:
    above = list(
        listed.filter(lower__gt=mine.lower).select_related("user").order_by("lower")[:AROUND]
    )[::-1]
    below = list(
        listed.filter(lower__lte=mine.lower).exclude(pk=mine.pk).select_related("user")[:AROUND]
    )
    place = _place(listed, mine)
    return [
        _row(each, None if place is None else place + step, me)
        for step, each in enumerate([*above, mine, *below], start=-len(above))
    ]


def place_of(rating: Rating, *, now: datetime) -> int | None:
    """The place on the leaderboard; None without one, or beyond LAST_PLACE."""
    listed = _listed(rating.kind_key, now=now)
    if not listed.filter(pk=rating.pk).exists():
        return None
    if listed[:FEWEST_PEOPLE].count() < FEWEST_PEOPLE:
        return None
    return _place(listed, rating)


def _place(listed: QuerySet[Rating], mine: Rating) -> int | None:
    """Count those above, as far as LAST_PLACE, by the index alone."""
    above = listed.filter(lower__gt=mine.lower)[:LAST_PLACE].count()
    return None if above == LAST_PLACE else above + 1


def _listed(kind_key: str, *, now: datetime) -> QuerySet[Rating]:
    """Who qualifies: enough games, one of them lately, and neither hides games nor ratings."""
    return Rating.objects.filter(
        kind_key=kind_key,
        games__gte=LISTED_GAMES,
        sigma__lt=KNOWN_DOUBT,
        last_at__gt=now - ACTIVE_FOR,
        user__is_active=True,
        user__sees_ratings=True,
        user__games_shown_to=User.GamesShownTo.EVERYBODY,
    ).order_by("-lower")


def among_friends(kind_key: str, me: User, friends: Sequence[User]) -> list[Row]:
    """The reader and their friends by rating, from the first game on, if there are two or more.

    Friends who hide their games or see no ratings are left out.
    """
    shown = [me, *(each for each in friends if each.sees_ratings and each.shows_games_to(me))]
    found = Rating.objects.filter(kind_key=kind_key, user__in=shown, games__gt=0)
    rows = [_row(each, None, me) for each in found.select_related("user").order_by("-mu", "user")]
    return rows if len(rows) > 1 else []


def this_month(
    kind_key: str, me: User, friends: Sequence[User], *, now: datetime
) -> list[ThisMonth]:
    """The reader and their friends by games won above what was expected of them this month."""
    people = {
        each.pk: each
        for each in [me, *friends]
        if each == me or (each.sees_ratings and each.shows_games_to(me))
    }
    first = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    rows = (
        RatedSeat.objects.filter(
            rating__kind_key=kind_key,
            rating__user__in=people,
            left_out=RatedSeat.LeftOut.NO,
            at__gte=first,
        )
        .values("rating__user")
        .annotate(games=Count("pk"), won=Count("pk", filter=Q(place=1)), expected=Sum("chance"))
        .order_by()
    )
    found = [
        ThisMonth(
            name=person.shown_name,
            username=person.get_username(),
            avatar=person.avatar,
            games=row["games"],
            won=row["won"],
            expected=row["expected"],
            is_me=person == me,
        )
        for row in rows
        for person in [people[row["rating__user"]]]
    ]
    return sorted(found, key=lambda each: -each.more) if len(found) > 1 else []


def _row(rating: Rating, place: int | None, me: User | None) -> Row:
    person = rating.user
    return Row(
        place=place,
        name=person.shown_name,
        username=person.get_username(),
        avatar=person.avatar,
        rating=in_digits(Strength(rating.mu, rating.sigma), rating.games),
        doubt=round(rating.sigma),
        games=rating.games,
        is_me=person == me,
    )
