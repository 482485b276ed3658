"""Quotas: tables and seats of each person, and games on the whole site."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef

from games.errors import Refused
from games.models import Game, Seat
from games.store import queries

# Limits for each person: open tables they host, and seats at tables that are not over.
OPEN_TABLES_EACH = 3
SEATS_EACH = 8

Status = Game.Status


def limit(user: Any, *, opening: bool = True) -> None:
    """Refused where this person may not open or join one more table; within a transaction.

    Codes: `account_closed`, `too_many_tables`, `too_many_seats`.
    """
    # The person's row is held until the end of the transaction, or several posts at once would
    # each count the tables before the others have added theirs. (SQLite has one writer anyway.)
    held = get_user_model()._default_manager.select_for_update(no_key=True).filter(pk=user.pk)
    if not held.values_list("is_active", flat=True).get():
        raise Refused("account_closed")
    if opening:
        mine = Game.objects.filter(host=user, status=Status.OPEN).count()
        if mine >= OPEN_TABLES_EACH:
            raise Refused("too_many_tables")
    if queries.seats_in_progress(user).count() >= SEATS_EACH:
        raise Refused("too_many_seats")


def room_for_one_more(*, bots: bool) -> None:
    """Refused: `site_busy`, when as many games run as the site allows, of all people together.

    Games with bots have a lower limit of their own: one person is enough to start one, and when
    that limit is reached people can still play with each other.
    """
    running = Game.objects.filter(status=Status.PLAYING)
    with_bots = running.filter(Exists(Seat.objects.filter(game=OuterRef("pk")).exclude(bot="")))
    if running.count() >= settings.RUNNING_GAMES or (
        bots and with_bots.count() >= settings.RUNNING_GAMES_WITH_BOTS
    ):
        raise Refused("site_busy")
