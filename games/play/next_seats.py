"""Requests for a seat at the next table, made while the game still runs.

Players who are out of the game and spectators may ask. When the game is over, its players are
seated first, then the others, in the order in which they asked (`next_tables`). A request lapses
when the person closes the page: they get no seat, and the table does not wait for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.models import User
from accounts.requests import AnyUser
from games.contract import catalogue
from games.errors import Refused
from games.models import Game, NextSeat, Seat
from games.play import quotas
from games.store import event_log

# How many requests for a next seat a person may have at running games.
WISHES_EACH: Final = 3


def ask(code: str, user: User, *, holder: str = "", home: str = "", now: datetime) -> None:
    """Request a seat at the next table; idempotent.

    Raises Refused: `not_playing`, `still_playing`, `next_full` if as many spectators have asked as
    there are seats for people, `too_many_seats`, `account_closed`.
    """
    with transaction.atomic():
        # The row lock keeps the game from ending, and others from asking, in the meantime.
        game = Game.objects.select_for_update().get(code=code)
        if game.status != Game.Status.PLAYING:
            raise Refused("not_playing")
        seats = list(game.seat_set.all())
        mine = next((seat for seat in seats if seat.user_id == user.pk), None)
        if mine is not None and _plays(game, mine):
            raise Refused("still_playing")
        wishes = NextSeat.objects.filter(game=game)
        if wishes.filter(user=user).exists():
            return
        if mine is None or mine.gone:
            check_room(game, seats)
        quotas.limit(user, opening=False)
        if NextSeat.objects.filter(user=user).count() >= WISHES_EACH:
            raise Refused("too_many_seats")
        NextSeat.objects.create(game=game, user=user, holder=holder, home=home, seen_at=now)


def take_back(code: str, user: User) -> None:
    """Withdraw the request for a seat at the next table, if there is one."""
    NextSeat.objects.filter(game__code=code, user=user).delete()


def has_asked(game: Game, user: AnyUser) -> bool:
    """Whether this person has asked for a seat at the next table."""
    return user.is_authenticated and NextSeat.objects.filter(game=game, user=user).exists()


def places(game: Game, seats: Sequence[Seat]) -> int:
    """Return how many spectators may ask: as many as there are seats without a bot.

    0 if one person plays against bots, since that person takes the only such seat.
    """
    free = game.size - sum(bool(seat.bot) for seat in seats)
    return free if free > 1 else 0


def check_room(game: Game, seats: Sequence[Seat] | None = None) -> None:
    """Check that one more spectator may ask. Raises Refused: `not_playing`, `next_full`."""
    if game.status != Game.Status.PLAYING:
        raise Refused("not_playing")
    seats = list(game.seat_set.all()) if seats is None else seats
    players = [seat.user_id for seat in seats if seat.user_id and not seat.gone]
    others = NextSeat.objects.filter(game=game).exclude(user__in=players)
    if others.count() >= places(game, seats):
        raise Refused("next_full")


def _plays(game: Game, seat: Seat) -> bool:
    rules = catalogue.of(game.kind_key).rules
    return not seat.gone and seat.number in rules.in_play(event_log.public_state(game))
