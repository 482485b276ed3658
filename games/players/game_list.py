"""The list of a person's finished games, a page at a time, by key: cheap however long it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from accounts.models import User
from accounts.requests import AnyUser
from games.models import Result, Seat

# Of the games that the index finds, so many are checked for a page one by one.
LOOKED_THROUGH: Final = 2000


@dataclass(frozen=True, slots=True)
class GameList:
    """Some of a person's games: those of `results` for which all of `checks` hold.

    The index of the list answers `results` whatever their number. A check is asked of each game
    that would be shown: so a page looks through a limited number of games, and the next one goes
    on from there.
    """

    results: QuerySet[Result]
    checks: tuple[Q, ...] = ()

    def among(self, player: User | None) -> GameList:
        """Only the games in which this player sat too; all of them for None."""
        if player is None:
            return self
        return replace(self, checks=(*self.checks, Q(_sat_there(player))))


def finished_games(person: User, *, viewer: AnyUser) -> GameList:
    """The person's finished games that `viewer` may see listed.

    A game by link is listed only for those who sat there.
    """
    results = Result.objects.filter(user=person)
    if viewer == person:
        return GameList(results)
    if not person.shows_games_to(viewer):
        return GameList(results.none())
    if not viewer.is_authenticated:
        return GameList(results.filter(public=True))
    return GameList(results, (Q(public=True) | Q(_sat_there(viewer)),))


def _sat_there(person: User) -> Exists:
    """Whether this person has a seat in the game of a result.

    A join in its place would let PostgreSQL look through every game of the person's first.
    """
    its_game = Seat.objects.filter(pk=OuterRef(OuterRef("seat"))).values("game")
    return Exists(Seat.objects.filter(user=person, game=Subquery(its_game)))


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a person's list, by the game before or behind it; its text stands in addresses.

    A page is found by it through the index, where a page by number would count its way there, and
    it still shows the same games when new ones have been finished.
    """

    finished_at: datetime
    seat: int

    def __str__(self) -> str:
        return f"{(self.finished_at - _EPOCH) // timedelta(microseconds=1)}-{self.seat}"

    @classmethod
    def from_text(cls, text: str) -> Place | None:
        """The place of such a text; None when it is none."""
        found = re.fullmatch(r"(\d{1,17})-(\d{1,18})", text, re.ASCII)
        if found is None:
            return None
        return cls(_EPOCH + timedelta(microseconds=int(found[1])), int(found[2]))

    def moved(self, seats: int) -> Place:
        """The place so many seats later, at the same time."""
        return replace(self, seat=max(0, self.seat + seats))


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Page:
    """Some seats of a list, the latest first; `newer` and `older` are None where it ends.

    A page may show fewer than there is room for, or none, where it has looked through many games
    that do not match: `looked_through`.
    """

    seats: list[Seat]
    newer: Place | None
    older: Place | None
    looked_through: bool = False


def page(games: GameList, *, newer: Place | None, older: Place | None, size: int) -> Page:
    """What is older than one place, or newer than another, or the latest where neither is named."""
    results = games.results
    if newer is not None:
        here = results.filter(finished_at__gte=newer.finished_at)
        here = here.exclude(finished_at=newer.finished_at, seat__lte=newer.seat)
        found, stopped = _look(replace(games, results=here), ("finished_at", "seat"), size)
        if len(found) > size or stopped is not None:
            shown = found[:size][::-1]
            return Page(
                seats=_seats(shown),
                newer=shown[0] if len(found) > size else stopped,
                # The game at the place itself is the first of the older ones.
                older=shown[-1] if shown else newer.moved(1),
                looked_through=len(found) <= size,
            )
        older = None  # the first page, whole
    elif older is not None:
        results = results.filter(finished_at__lte=older.finished_at)
        results = results.exclude(finished_at=older.finished_at, seat__gte=older.seat)
    found, stopped = _look(replace(games, results=results), ("-finished_at", "-seat"), size)
    shown = found[:size]
    before = None if older is None else older.moved(-1)
    return Page(
        seats=_seats(shown),
        newer=shown[0] if shown and before else before,
        older=shown[-1] if len(found) > size else stopped,
        looked_through=len(found) <= size and stopped is not None,
    )


def _look(games: GameList, order: tuple[str, ...], size: int) -> tuple[list[Place], Place | None]:
    """The first places that match, one more than a page; and where the look ended early, if so."""
    ordered = games.results.order_by(*order)
    if not games.checks:
        return _places(ordered[: size + 1]), None
    looked_at = ordered.values("pk")[:LOOKED_THROUGH]
    found = _places(
        Result.objects.filter(*games.checks, pk__in=looked_at).order_by(*order)[: size + 1]
    )
    if len(found) > size:
        return found, None
    last = _places(ordered[LOOKED_THROUGH - 1 : LOOKED_THROUGH])
    return found, last[0] if last else None


def _places(results: QuerySet[Result]) -> list[Place]:
    return [Place(*each) for each in results.values_list("finished_at", "seat")]


def _seats(shown: Sequence[Place]) -> list[Seat]:
    numbers = [place.seat for place in shown]
    rows = with_company(Seat.objects.filter(pk__in=numbers).select_related("game"))
    by_number = {seat.pk: seat for seat in rows}
    return [by_number[number] for number in numbers]


def with_company(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Seats whose games carry everybody who sat there, with one query for all of them."""
    everybody = Seat.objects.select_related("user").order_by("number")
    return seats.prefetch_related(Prefetch("game__seat_set", queryset=everybody, to_attr="company"))
