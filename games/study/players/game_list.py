"""The paginated list of a person's finished games, by keyset: its cost doesn't grow with it."""

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

# The most games that one page checks one by one, of those that the index finds.
LOOKED_THROUGH: Final = 2000


@dataclass(frozen=True, slots=True)
class GameList:
    """Some of a person's games: those of `results` for which all of `checks` hold.

    An index answers `results`, whatever their number. Checks run for each game that would be shown,
    so a page looks through a limited number of games, and the next page continues there.
    """

    results: QuerySet[Result]
    checks: tuple[Q, ...] = ()

    def among(self, player: User | None) -> GameList:
        """The games in which this player had a seat too; all of them for None."""
        if player is None:
            return self
        return replace(self, checks=(*self.checks, Q(_sat_there(player))))


def finished_games(person: User, *, viewer: AnyUser) -> GameList:
    """The person's finished games that `viewer` may see listed.

    A private game is listed only for the people who had a seat in it.
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

    It is a subquery because with a join PostgreSQL would first look through all of their games.
    """
    its_game = Seat.objects.filter(pk=OuterRef(OuterRef("seat"))).values("game")
    return Exists(Seat.objects.filter(user=person, game=Subquery(its_game)))


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a person's list, named by the game next to it; its text is part of addresses.

    The index finds a page by it, whereas a page number would mean counting rows; and the page still
    shows the same games after new ones have been finished.
    """

    finished_at: datetime
    seat: int

    def __str__(self) -> str:
        return f"{(self.finished_at - _EPOCH) // timedelta(microseconds=1)}-{self.seat}"

    @classmethod
    def from_text(cls, text: str) -> Place | None:
        """The place that a text names; None if the text is malformed."""
        found = re.fullmatch(r"(\d{1,17})-(\d{1,18})", text, re.ASCII)
        if found is None:
            return None
        return cls(_EPOCH + timedelta(microseconds=int(found[1])), int(found[2]))

    def moved(self, seats: int) -> Place:
        """The place this many seats later, at the same time."""
        return replace(self, seat=max(0, self.seat + seats))


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list, the latest seats first; `newer` and `older` are None at its ends.

    `looked_through`: the page is short or empty because it has looked through many games that do
    not match.
    """

    seats: list[Seat]
    newer: Place | None
    older: Place | None
    looked_through: bool = False


def page(games: GameList, *, newer: Place | None, older: Place | None, size: int) -> Page:
    """The page older than one place or newer than another; the latest if neither is given."""
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
        older = None  # too few newer games: show the full first page
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
    """The first matching places, up to one more than a page; and where it stopped early, if so."""
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
    """Prefetch all seats of these seats' games, as `game.company`, in one query."""
    everybody = Seat.objects.select_related("user").order_by("number")
    company = Prefetch("game__seat_set", queryset=everybody, to_attr="company")
    return seats.prefetch_related(company)
