"""A seat at the next table, asked for while the game still runs.

Who is out of a game, or watches it, may ask. When it is over its players come first, then the
others, in the order in which they asked (`next_tables`). It is a wish of somebody who is there: who
closes the page gets no seat, and nobody waits for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.models import User
from accounts.requests import AnyUser
from games import catalogue
from games.errors import Refused
from games.models import Game, NextSeat, Seat
from games.play import quotas
from games.store import event_log

# At so many running games somebody may have asked for a seat at the next table.
WISHES_EACH: Final = 3


def ask(code: str, user: User, *, holder: str = "", now: datetime) -> None:
    """Ask for a seat at the next table; asking again changes nothing.

    Refused: `not_playing`, `still_playing`, `next_full` where as many others who watch have asked
    as there are seats for people, `too_many_seats`, `account_closed`.
    """
    with transaction.atomic():
        # The row is held: the game does not end, and nobody else asks, meanwhile.
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
        NextSeat.objects.create(game=game, user=user, holder=holder, seen_at=now)


def take_back(code: str, user: User) -> None:
    """Give the seat at the next table back; nothing happens without one."""
    NextSeat.objects.filter(game__code=code, user=user).delete()


def has_asked(game: Game, user: AnyUser) -> bool:
    """Whether this person has asked for a seat at the next table."""
    return user.is_authenticated and NextSeat.objects.filter(game=game, user=user).exists()


def places(game: Game, seats: Sequence[Seat]) -> int:
    """How many of those who watch may ask: as many as there are seats without a bot.

    None where one person plays against bots, who takes the only one.
    """
    free = game.size - sum(bool(seat.bot) for seat in seats)
    return free if free > 1 else 0


def check_room(game: Game, seats: Sequence[Seat] | None = None) -> None:
    """Whether one more of those who watch may ask. Refused: `not_playing`, `next_full`."""
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
