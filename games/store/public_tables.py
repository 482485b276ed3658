"""The query of public tables: which ones the lobby lists, newest first."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Game, Seat

# Finished games are many: among so many of the newest the ones to show are looked for. The same for
# tables that wait, so that a list costs the same however many there are.
_LATEST: Final = 200

Status = Game.Status


def open_tables(kind_key: str = "") -> QuerySet[Game]:
    """Those that wait for players, made by hand: the fullest of the latest first.

    `kind_key`: of one kind of game, "" for all. Bots take seats, but are no people. Tables
    without a free seat come last.
    """
    waiting = Game.objects.filter(listed=True, status=Status.OPEN)
    waiting = waiting.exclude(origin=Game.Origin.QUICK)
    if kind_key:
        waiting = waiting.filter(kind_key=kind_key)
    latest = waiting.order_by("-created_at").values("pk")[:_LATEST]
    counted = _public(kind_key).annotate(
        people=_count_of(Q(bot="")), free=F("size") - _count_of(Q()), is_full=Q(free__lte=0)
    )
    fullest = counted.filter(pk__in=latest, status=Status.OPEN)
    return fullest.order_by("is_full", "-people", "free", "-created_at")


def running_tables(kind_key: str = "") -> QuerySet[Game]:
    """The games in progress of two people or more."""
    running = _public(kind_key).filter(_is_among_people(), status=Status.PLAYING)
    return running.order_by("-created_at")


def finished_tables(kind_key: str = "") -> QuerySet[Game]:
    """The finished games of two people or more, of the latest of all kinds."""
    latest = Game.objects.filter(listed=True, status=Status.FINISHED).order_by("-finished_at")
    newest = _public(kind_key).filter(_is_among_people(), pk__in=latest.values("pk")[:_LATEST])
    return newest.order_by("-finished_at")


def where(people: Collection[int]) -> dict[int, str]:
    """The code of a public table at which each of these people sits now, as lists show it: it waits
    for players, or a game that people have begun is played. Who sits at none is left out.
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
    """Games that carry their seats as `taken`, with one query for all of them."""
    return _carrying(games, Seat.objects.select_related("user"))


def with_people(games: QuerySet[Game]) -> QuerySet[Game]:
    """The same, with no more of each seat and person than lists of tables say."""
    return _carrying(games, Seat.objects.select_related("user").only(*_OF_SEATS))


_OF_SEATS: Final = (
    *("game", "number", "bot", "gone"),
    *(f"user__{name}" for name in ("username", "animal", "cloth", "shows_online", "is_active")),
)


def _carrying(games: QuerySet[Game], seats: QuerySet[Seat]) -> QuerySet[Game]:
    ordered = seats.order_by("number")
    return games.prefetch_related(Prefetch("seat_set", queryset=ordered, to_attr="taken"))


def _public(kind_key: str) -> QuerySet[Game]:
    """With their seats and hosts, as a list shows them."""
    public = with_seats(Game.objects.filter(listed=True)).select_related("host")
    return public.filter(kind_key=kind_key) if kind_key else public


def _count_of(which: Q) -> Coalesce:
    """How many such seats a game has."""
    seats = Seat.objects.filter(which, game=OuterRef("pk")).order_by().values("game")
    return Coalesce(Subquery(seats.annotate(n=Count("pk")).values("n")), 0)


def _is_among_people() -> Exists:
    """Whether somebody besides the host plays who is no bot; the host of a running game plays."""
    people = Seat.objects.filter(game=OuterRef("pk"), bot="")
    return Exists(people.exclude(user=OuterRef("host")))
