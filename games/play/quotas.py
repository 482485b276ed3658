"""Quotas: how many tables and games a person, an address and the whole site may have at once.

They count what exists now, not how often something was opened: a game that runs for hours counts
for hours. Two processes that start games at the same instant may each take the last place.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from games.errors import Refused
from games.models import Game, Seat
from games.play import pausing
from games.store import queries

# Limits for each person: open tables they host, and seats at tables that are not over.
OPEN_TABLES_EACH = 3
SEATS_EACH = 8

Status = Game.Status


def limit(user: User, *, opening: bool = True, holder: str = "") -> None:
    """Check, in a transaction, that this person may open or join one more table.

    `holder`: the quota that a newly opened table counts against. Raises Refused: `account_closed`,
    `too_many_tables`, `too_many_seats`, `too_many_here`.
    """
    # The user's row stays locked until the end of the transaction. Otherwise concurrent requests
    # would each count before the others have added their tables. (SQLite has one writer anyway.)
    held = get_user_model()._default_manager.select_for_update(no_key=True).filter(pk=user.pk)
    if not held.values_list("is_active", flat=True).get():
        raise Refused("account_closed")
    if opening:
        mine = Game.objects.filter(host=user, status=Status.OPEN).count()
        if mine >= OPEN_TABLES_EACH:
            raise Refused("too_many_tables")
        here = Game.objects.filter(holder=holder, status=Status.OPEN).count()
        if holder and here >= settings.OPEN_TABLES_PER_ADDRESS:
            raise Refused("too_many_here")
    if queries.seats_in_progress(user).count() >= SEATS_EACH:
        raise Refused("too_many_seats")


def make_room(*, holder: str, people: int, bots: bool, now: datetime) -> None:
    """Check, in a transaction, that one more game may start, pausing another one if necessary.

    Each holder has a quota of games of one person and another of games of several people. On a full
    site, the game of a holder with few games displaces the least watched game of the holder with
    the most (see `pausing.displace`). Raises Refused: `too_many_here`, `site_busy`.
    """
    held = Game.objects.filter(holder=holder, status=Status.PLAYING, solo=people == 1)
    most = settings.BOT_GAMES_PER_ADDRESS if people == 1 else settings.GAMES_PER_ADDRESS
    if held.count() >= most:
        raise Refused("too_many_here")
    if people > 1 and bots and with_bots(held).count() >= settings.BOT_GAMES_PER_ADDRESS:
        raise Refused("too_many_here")
    if not has_room(bots=bots) and not pausing.displace(holder=holder, now=now):
        raise Refused("site_busy")


def has_room(*, bots: bool) -> bool:
    """Whether one more game may run on this site.

    Games with bots have a lower limit of their own, since one person is enough to start one. When
    it is reached, people can still play with each other. Paused games do not count as running.
    """
    running = Game.objects.filter(status=Status.PLAYING, paused_at=None)
    if running.count() >= settings.RUNNING_GAMES:
        return False
    return not bots or with_bots(running).count() < settings.RUNNING_GAMES_WITH_BOTS


def with_bots(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return the games in which a bot has a seat."""
    return games.filter(Exists(Seat.objects.filter(game=OuterRef("pk")).exclude(bot="")))
