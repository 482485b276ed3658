"""Read-only queries for tables and seats: who sits where, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count, QuerySet

from accounts.models import User
from accounts.requests import AnyUser
from games import catalogue
from games.models import Game, Mute, Seat
from games.store import row_cache

Status = Game.Status


def seat_of(game: Game, user: AnyUser) -> Seat | None:
    """The person's seat at this table; None when they have none.

    Once a game has begun, who sits where does not change, so cached seats will do.
    """
    if not user.is_authenticated:
        return None
    if game.status in (Status.PLAYING, Status.FINISHED):
        return next((seat for seat in row_cache.seats(game) if seat.user_id == user.pk), None)
    return game.seat_set.filter(user=user).first()


def is_open_to(game: Game, person: AnyUser) -> bool:
    """Whether a finished game is for this person: a private one is for those who played it."""
    return game.listed or seat_of(game, person) is not None


def find(code: str, user: AnyUser) -> tuple[Game | None, Seat | None]:
    """The table of this code, None when there is none, and the person's seat at it, if any.

    The row of a game that has begun may be cached and stale: the commands of `play` check it again.
    """
    game = row_cache.cached_game(code)
    if game is None:
        game = Game.objects.filter(code=code).first()
        if game is None:
            return None, None
        row_cache.keep(game)
    return game, seat_of(game, user)


def winners_before(game: Game, seats: Sequence[Seat]) -> list[int]:
    """At the table of a rematch, which of these seats have the winners of the game before.

    Empty elsewhere, and when no winner is here. A bot is the same as before if the old game had
    bots of the same kinds in the same order.
    """
    old = Game.objects.filter(rematch=game).first()
    if old is None:
        return []
    before = list(old.seat_set.order_by("number"))
    now = {seat.user_id: seat for seat in seats if not seat.bot}
    pairs = [(seat, now[seat.user_id]) for seat in before if seat.user_id in now]
    bots_before, bots = ([seat for seat in each if seat.bot] for each in (before, seats))
    if [seat.bot for seat in bots_before] == [seat.bot for seat in bots]:
        pairs += zip(bots_before, bots, strict=True)
    return sorted(new.number for old_seat, new in pairs if old_seat.place == 1)


def stayed(game: Game) -> QuerySet[Seat]:
    """The seats of the people who have not left this game."""
    return game.seat_set.filter(gone=False, user__is_active=True)


def is_kept_away(game: Game, user: AnyUser) -> bool:
    """Whether the host of a table, or the owner of the standing one it belongs to, has blocked this
    person.
    """
    by = {game.host_id} if game.standing is None else {game.host_id, game.standing.owner_id}
    return Mute.objects.filter(by__in=by, whom=user.pk, blocked=True).exists()


def kept_for(game: Game) -> set[int]:
    """The people of the game before for whom seats of this open, public rematch are kept.

    Those who left that game are not, nor those who are here or were removed.
    """
    old = Game.objects.filter(rematch=game).first()
    if game.seats_kept_until is None or not game.listed or old is None:
        return set()
    came = game.seat_set.filter(user__isnull=False).values("user")
    removed = game.removed.values("pk")
    back = stayed(old).exclude(user__in=came).exclude(user__in=removed)
    return {user for user in back.values_list("user", flat=True) if user is not None}


def begins_at(game: Game) -> datetime | None:
    """When an open rematch begins by itself; None: somebody has to start it, or to come first."""
    if game.status != Status.OPEN or game.seats_kept_until is None:
        return None
    enough = game.seat_set.count() in catalogue.of(game.kind_key).rules.SEATS
    return game.seats_kept_until if enough else None


def seats_in_progress(user: User) -> QuerySet[Seat]:
    """The person's seats at tables that are open or playing."""
    live = Seat.objects.filter(user=user, live=True)
    return live.exclude(game__status=Status.PLAYING, gone=True)


def pastime(user: AnyUser) -> Game | None:
    """The game against bots that this person plays, a warm-up or another; the newest."""
    if not user.is_authenticated:
        return None
    mine = seats_in_progress(user).filter(game__status=Status.PLAYING, game__solo=True)
    seat = mine.select_related("game").order_by("-game__pk").first()
    return None if seat is None else seat.game


def tables_by_status() -> dict[str, int]:
    """How many tables are open and how many are playing."""
    counted = dict.fromkeys((Status.OPEN.value, Status.PLAYING.value), 0)
    alive = Game.objects.filter(status__in=list(counted)).values("status").order_by("status")
    return counted | dict(alive.annotate(Count("pk")).values_list("status", "pk__count"))
