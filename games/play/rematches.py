"""Rematches: the next game of the same people, or against the same bots, in one press."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.errors import Refused
from games.models import Game, TableSettings
from games.play import before_start, next_tables
from games.store import queries

Status = Game.Status


def rematch(code: str, user: User, *, holder: str = "", home: str = "", now: datetime) -> Game:
    """Give `user` a seat at the next table of the same people, and return that table.

    The first request opens the table, with the settings and bots of the old one. `next_tables`
    decides when it starts; if nobody else can come, it starts at once. Raises Refused: `not_over`,
    `not_seated`, `already_begun`, and the codes of opening, joining and starting a table.
    """
    with transaction.atomic():
        old = next_tables.locked(code=code)
        if old.status != Status.FINISHED:
            raise Refused("not_over")
        if queries.seat_of(old, user) is None:
            raise Refused("not_seated")
        game = next_tables.next_table(old)
        if game is None:
            game = next_tables.open_next(old, user, holder=holder, home=home, now=now)
            next_tables.begin_if_all_are_back(old, game, now=now, may_fail=True)
        elif queries.seat_of(game, user) is None:
            if game.status != Status.OPEN:
                raise Refused("already_begun")
            before_start.sit(game.code, user, home=home, now=now)
            next_tables.begin_if_all_are_back(old, game, now=now)
    return game


def play_again(code: str, user: User, *, holder: str = "", now: datetime) -> Game:
    """Start a new game against the bots of an old one, with the same settings.

    Raises Refused: `with_people`, limits.
    """
    old = Game.objects.get(code=code)
    bots = list(old.seat_set.exclude(user=user).values_list("bot", flat=True))
    if not all(bots):
        raise Refused("with_people")
    settings = TableSettings.of(old)
    return before_start.play_now(
        user, settings, bots=bots, holder=holder, origin=next_tables.origin_after(old), now=now
    )
