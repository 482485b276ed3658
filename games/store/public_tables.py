"""Queries for the public tables that the lobby lists."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Game, Seat
from games.store import here

# Only this many of the newest finished games, and of the newest open tables, are searched for those
# to show, so that a list costs the same however many there are.
_LATEST: Final = 200

Status = Game.Status


def open_tables(kind_key: str = "", *, now: datetime) -> QuerySet[Game]:
    """Return the latest tables that wait for players, except quick tables, the fullest first.

    `kind_key`: one kind of game, "" for all. Only present people count as waiting, and no bots,
    although these take seats. Tables without a free seat come after others, and tables whose host
    is away come last.
    """
    waiting = Game.objects.filter(listed=True, status=Status.OPEN)
    waiting = waiting.exclude(origin=Game.Origin.QUICK)
    if kind_key:
        waiting = waiting.filter(kind_key=kind_key)
    latest = waiting.order_by("-created_at").values("pk")[:_LATEST]
    counted = _public(kind_key).annotate(
        host_here=here.with_host_here(now=now),
        people=_count_of(here.waiting_at_open_tables(now=now)),
        free=F("size") - _count_of(Q()),
        is_full=Q(free__lte=0),
    )
    fullest = counted.filter(pk__in=latest, status=Status.OPEN)
    return fullest.order_by("-host_here", "is_full", "-people", "free", "-created_at")


def running_tables(kind_key: str = "") -> QuerySet[Game]:
    """Return the running games of two or more people."""
    running = _public(kind_key).filter(_is_among_people(), status=Status.PLAYING)
    return running.order_by("-created_at")


def finished_tables(kind_key: str = "") -> QuerySet[Game]:
    """Return finished games of two or more people that a person won, among the latest of all."""
    latest = Game.objects.filter(listed=True, status=Status.FINISHED).order_by("-finished_at")
    newest = _public(kind_key).filter(_is_among_people(), pk__in=latest.values("pk")[:_LATEST])
    won = Seat.objects.filter(game=OuterRef("pk"), place=1, bot="")
    return newest.filter(Exists(won)).order_by("-finished_at")


def where(people: Collection[int]) -> dict[int, str]:
    """Return, by user id, the code of a listed public table at which each of these people sits now.

    The table waits for players or its game runs, with other people. People without one are omitted.
    """
    seats = Seat.objects.filter(user__in=people, live=True, gone=False, game__listed=True)
    found = seats.order_by("game").values_list(
        "user", "game__code", "game__status", "game__origin", "game__solo"
    )
    return {
        user: code
        for user, code, status, origin, solo in found
        if (status == Status.OPEN and origin != Game.Origin.QUICK)
        or (status == Status.PLAYING and not solo and origin != Game.Origin.WARM_UP)
    }


def with_seats(games: QuerySet[Game]) -> QuerySet[Game]:
    """Prefetch the seats of games as `taken`, with one query for all of them."""
    return _carrying(games, Seat.objects.select_related("user"))


def with_people(games: QuerySet[Game]) -> QuerySet[Game]:
    """Prefetch the seats as `with_seats` does, with only the columns that lists of tables show."""
    return _carrying(games, Seat.objects.select_related("user").only(*_OF_SEATS))


_OF_SEATS: Final = (
    *("game", "number", "bot", "gone", "asleep", "seen_at", "present_at"),
    *(f"user__{name}" for name in ("username", "animal", "cloth", "shows_online", "is_active")),
)


def _carrying(games: QuerySet[Game], seats: QuerySet[Seat]) -> QuerySet[Game]:
    ordered = seats.order_by("number")
    taken = Prefetch("seat_set", queryset=ordered, to_attr="taken")
    return games.prefetch_related(taken)  # type: ignore[no-redef]  # `Game` declares it


def _public(kind_key: str) -> QuerySet[Game]:
    """Return listed games with their seats and hosts."""
    public = with_seats(Game.objects.filter(listed=True)).select_related("host")
    return public.filter(kind_key=kind_key) if kind_key else public


def _count_of(which: Q) -> Coalesce:
    """Return the number of such seats in a game, as an expression."""
    seats = Seat.objects.filter(which, game=OuterRef("pk")).order_by().values("game")
    return Coalesce(Subquery(seats.annotate(n=Count("pk")).values("n")), 0)


def _is_among_people() -> Exists:
    """Return a condition: a person other than the host plays; the host of a running game plays."""
    people = Seat.objects.filter(game=OuterRef("pk"), bot="")
    return Exists(people.exclude(user=OuterRef("host")))
