"""Read-only queries for tables and seats: who sits where, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.requests import AnyUser
from games.contract import catalogue
from games.models import Game, Mute, Seat, StandingTable
from games.store import row_cache

Status = Game.Status


def seat_of(game: Game, user: AnyUser) -> Seat | None:
    """Return the user's seat at this table, or None.

    Once a game has begun, seats do not change hands, so cached seats are sufficient.
    """
    if not user.is_authenticated:
        return None
    if game.status in (Status.PLAYING, Status.FINISHED):
        return next((seat for seat in row_cache.seats(game) if seat.user_id == user.pk), None)
    return game.seat_set.filter(user=user).first()


def is_open_to(game: Game, person: AnyUser) -> bool:
    """Whether this person may see a finished game: a private one is only for its players."""
    return game.listed or seat_of(game, person) is not None


def find(code: str, user: AnyUser) -> tuple[Game | None, Seat | None]:
    """Return the table with this code and the user's seat there, each None if there is none.

    The row of a game that has begun may be a stale cached one; the commands of `play` check again.
    """
    game = row_cache.cached_game(code)
    if game is None:
        game = Game.objects.filter(code=code).first()
        if game is None:
            return None, None
        row_cache.keep(game)
    return game, seat_of(game, user)


def winners_before(game: Game, seats: Sequence[Seat]) -> list[int]:
    """Return those of a rematch's seats that are taken by winners of the previous game.

    Empty for other tables, and if no winner takes part. Bots count as the same ones if the old game
    had bots of the same kinds in the same order.
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
    """Return the seats of people who have not left this game."""
    return game.seat_set.filter(gone=False, user__is_active=True)


def is_kept_away(game: Game, user: AnyUser) -> bool:
    """Whether the host of a table, or the owner of its standing table, has blocked this person."""
    by = {game.host_id} if game.standing is None else {game.host_id, game.standing.owner_id}
    return Mute.objects.filter(by__in=by, whom=user.pk, blocked=True).exists()


def blocked_by(user: AnyUser, game: Game | None, table: StandingTable | None = None) -> list[str]:
    """Return the names of people at a table whom this user has blocked.

    This covers its host, its seats and the owner of the standing table it belongs to.
    """
    if not user.is_authenticated:
        return []
    there = Q(pk=None)
    if game is not None:
        there |= Q(pk=game.host_id) | Q(seat__game=game)
        table = table or game.standing
    if table is not None:
        there |= Q(pk=table.owner_id)
    blocked = Mute.objects.filter(by=user, whom=OuterRef("pk"), blocked=True)
    found = User.objects.filter(there, Exists(blocked), is_active=True).distinct()
    return [each.shown_name for each in found.order_by("name_key")]


def kept_for(game: Game) -> set[int]:
    """Return the ids of users for whom seats of this open, public rematch are kept.

    These are the people of the previous game except those who left it, are already seated here or
    were removed.
    """
    old = Game.objects.filter(rematch=game).first()
    if game.seats_kept_until is None or not game.listed or old is None:
        return set()
    came = game.seat_set.filter(user__isnull=False).values("user")
    removed = game.removed.values("pk")
    back = stayed(old).exclude(user__in=came).exclude(user__in=removed)
    return {user for user in back.values_list("user", flat=True) if user is not None}


def begins_at(game: Game) -> datetime | None:
    """Return when an open rematch starts by itself; None: it needs a start by hand, or players."""
    if game.status != Status.OPEN or game.seats_kept_until is None:
        return None
    enough = game.seat_set.count() in catalogue.of(game.kind_key).rules.SEATS
    return game.seats_kept_until if enough else None


def seats_in_progress(user: User) -> QuerySet[Seat]:
    """Return the user's seats at open tables, and in running games that they have not left."""
    live = Seat.objects.filter(user=user, live=True)
    return live.exclude(game__status=Status.PLAYING, gone=True)


def pastime(user: AnyUser) -> Game | None:
    """Return the newest running game against bots of this user, a warm-up or another."""
    if not user.is_authenticated:
        return None
    mine = seats_in_progress(user).filter(game__status=Status.PLAYING, game__solo=True)
    seat = mine.select_related("game").order_by("-game__pk").first()
    return None if seat is None else seat.game


def tables_by_status() -> dict[str, int]:
    """Return the number of open tables, running games, and games whose last step failed."""
    counted = dict.fromkeys((Status.OPEN.value, Status.PLAYING.value), 0)
    alive = Game.objects.filter(status__in=list(counted)).values("status").order_by("status")
    rows = alive.annotate(Count("pk"), Count("failing_since"))
    found = list(rows.values_list("status", "pk__count", "failing_since__count"))
    failing = sum(number for _status, _all, number in found)
    return counted | {status: number for status, number, _failing in found} | {"failing": failing}
