"""The games of a standing table: the current one, and the next one, opened once for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from accounts.models import User
from accounts.requests import AnyUser
from games.errors import Refused
from games.models import Game, Mute, Seat, StandingTable, TableSettings
from games.play import announce, before_start
from games.store import queries

Status = Game.Status

_NAMES: Final = {each.name for each in fields(TableSettings)} - {"standing_id"}
# At most this many rematches of an adopted game are added to the table with it.
_MOST_REMATCHES: Final = 20


def to_json(settings: TableSettings) -> dict[str, object]:
    """Return the settings as a standing table stores them."""
    return {name: getattr(settings, name) for name in sorted(_NAMES)}


def settings_of(table: StandingTable) -> TableSettings:
    """Return the settings of the next game, with defaults for those unknown to older versions."""
    kept: Mapping[str, Any] = table.settings
    known = {name: kept[name] for name in _NAMES & kept.keys()}
    return TableSettings(**known, standing_id=table.pk)


def current(table: StandingTable) -> Game | None:
    """Return the newest game of this table that was not closed, or None."""
    games = Game.objects.filter(standing=table).exclude(status=Status.CLOSED)
    return games.select_related("host").order_by("-pk").first()


def last_finished(table: StandingTable) -> Game | None:
    """Return the last finished game of this table, or None."""
    return Game.objects.filter(standing=table, status=Status.FINISHED).order_by("-pk").first()


def join(
    table: StandingTable,
    user: User,
    *,
    holder: str = "",
    now: datetime,
    knowingly: bool = False,
) -> Game:
    """Give this person a seat in the waiting game, or in a new one, and return that game.

    Concurrent requests get the same game. Raises Refused: `blocked` by the owner, `blocked_here`
    unless they join `knowingly` (see `blocked_by`), `table_plays` if a game runs without them, and
    the codes of opening and joining a table.
    """
    with transaction.atomic():
        # The row stays locked to the end, so a second request finds the game the first has opened.
        # (SQLite has one writer anyway.)
        StandingTable.objects.select_for_update(no_key=True).get(pk=table.pk)
        if Mute.objects.filter(by=table.owner_id, whom=user, blocked=True).exists():
            raise Refused("blocked")
        game = current(table)
        if not knowingly and (names := blocked_by(user, table, game)):
            raise Refused("blocked_here", names=", ".join(names))
        if game is not None and game.status == Status.FINISHED:
            return _after(game, table, user, holder=holder, now=now)
        if game is None:
            return before_start.open_game(user, settings_of(table), holder=holder, now=now)
        return _at(game, user, now=now)


def blocked_by(user: AnyUser, table: StandingTable, game: Game | None) -> list[str]:
    """Return `queries.blocked_by` for a standing table and the game that waits or runs there.

    Empty for a person who already has a seat in that game.
    """
    if game is not None and game.status == Status.FINISHED:
        game = None
    if game is not None and user.is_authenticated and queries.seat_of(game, user) is not None:
        return []
    return queries.blocked_by(user, game, table)


def _after(old: Game, table: StandingTable, user: User, *, holder: str, now: datetime) -> Game:
    """Seat `user` in the game after a finished one, which is also the rematch that others join."""
    old = Game.objects.select_for_update().get(pk=old.pk)
    again = old.rematch
    if again is not None and again.status != Status.CLOSED:
        Game.objects.filter(pk=again.pk, standing=None).update(standing=table)
        return _at(again, user, now=now)
    game = before_start.open_game(user, settings_of(table), holder=holder, now=now)
    Game.objects.filter(pk=old.pk).update(rematch=game, seq=F("seq") + 1)
    announce.game_changed(old.code, old.seq + 1)
    return game


def _at(game: Game, user: User, *, now: datetime) -> Game:
    if queries.seat_of(game, user) is None:
        if game.status != Status.OPEN:
            raise Refused("table_plays")
        before_start.sit(game.code, user, now=now, knowingly=True)  # `join` has asked
    return game


def adopt(game: Game, table: StandingTable, user: User, *, now: datetime) -> None:
    """Add a game of this person, and its rematches, to their standing table.

    It stops at a game that belongs to another table, or in which they have no seat.
    """
    with transaction.atomic():
        for _each in range(_MOST_REMATCHES):
            if not Seat.objects.filter(game=game, user=user).exists():
                return
            free = Game.objects.filter(pk=game.pk, standing=None)
            waits = free.filter(status=Status.OPEN)
            if waits.update(standing=table, seq=F("seq") + 1):
                seq = Game.objects.values_list("seq", flat=True).get(pk=game.pk)
                announce.game_changed(game.code, seq)
            elif not free.exclude(status=Status.CLOSED).update(standing=table):
                return
            if game.rematch is None:
                return
            game = game.rematch


def keep_settings(game: Game) -> dict[str, object]:
    """Return the settings of a game, as stored by a standing table that is created from it."""
    return to_json(replace(TableSettings.of(game), standing_id=None))
