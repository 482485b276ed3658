"""The next game of the same people, or against the same bots, in one press."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.errors import Refused
from games.models import Game, TableSettings
from games.play import before_start, next_tables
from games.store import queries

Status = Game.Status


def rematch(code: str, user: User, *, holder: str = "", now: datetime) -> Game:
    """The next table for the same people, at which `user` has a seat from now on.

    The first to ask opens it, with the settings and the bots of the old one; `next_tables` says
    when it begins. Where nobody else can come that is at once. Refused: `not_over`, `not_seated`,
    `already_begun`, and whatever opening, joining or beginning alone refuses.
    """
    with transaction.atomic():
        old = next_tables.locked(code=code)
        if old.status != Status.FINISHED:
            raise Refused("not_over")
        if queries.seat_of(old, user) is None:
            raise Refused("not_seated")
        game = next_tables.next_table(old)
        if game is None:
            game = next_tables.open_next(old, user, holder=holder, now=now)
            next_tables.begin_if_all_are_back(old, game, now=now, may_fail=True)
        elif queries.seat_of(game, user) is None:
            if game.status != Status.OPEN:
                raise Refused("already_begun")
            before_start.sit(game.code, user, now=now)
            next_tables.begin_if_all_are_back(old, game, now=now)
    return game


def play_again(code: str, user: User, *, holder: str = "", now: datetime) -> Game:
    """A new game against the bots of an old one, at a table like it.

    Refused: `with_people`, limits.
    """
    old = Game.objects.get(code=code)
    bots = list(old.seat_set.exclude(user=user).values_list("bot", flat=True))
    if not all(bots):
        raise Refused("with_people")
    settings = TableSettings.of(old)
    return before_start.play_now(
        user, settings, bots=bots, holder=holder, origin=next_tables.origin_after(old), now=now
    )
