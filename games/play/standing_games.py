"""The games of a standing table: which one is on, and the next one, opened once for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from accounts.models import User
from games.errors import Refused
from games.models import Game, Mute, Seat, StandingTable, TableSettings
from games.play import announce, before_start
from games.store import queries

Status = Game.Status

_NAMES: Final = {each.name for each in fields(TableSettings)} - {"standing_id"}
# So many rematches of a game that is kept belong to the table too.
_MOST_REMATCHES: Final = 20


def to_json(settings: TableSettings) -> dict[str, Any]:
    """The settings as a standing table keeps them."""
    return {name: getattr(settings, name) for name in sorted(_NAMES)}


def settings_of(table: StandingTable) -> TableSettings:
    """The settings of the next game; of those that an older version did not know, the defaults."""
    kept: Mapping[str, Any] = table.settings
    known = {name: kept[name] for name in _NAMES & kept.keys()}
    return TableSettings(**known, standing_id=table.pk)


def current(table: StandingTable) -> Game | None:
    """The newest game of this table that was not closed; None: there was none yet."""
    games = Game.objects.filter(standing=table).exclude(status=Status.CLOSED)
    return games.select_related("host").order_by("-pk").first()


def last_finished(table: StandingTable) -> Game | None:
    """The game that was played last at this table."""
    return Game.objects.filter(standing=table, status=Status.FINISHED).order_by("-pk").first()


def join(table: StandingTable, user: User, *, holder: str = "", now: datetime) -> Game:
    """The game at which this person has a seat from now on: the one that waits, or a new one.

    Several who come at the same instant get the same. Refused: `blocked` by the owner,
    `table_plays` where a game is played without them, and what opening and joining refuse.
    """
    with transaction.atomic():
        # The row is held to the end: who comes second finds the game that the first has opened.
        # (SQLite has one writer anyway.)
        StandingTable.objects.select_for_update(no_key=True).get(pk=table.pk)
        if Mute.objects.filter(by=table.owner_id, whom=user, blocked=True).exists():
            raise Refused("blocked")
        game = current(table)
        if game is not None and game.status == Status.FINISHED:
            return _after(game, table, user, holder=holder, now=now)
        if game is None:
            return before_start.open_game(user, settings_of(table), holder=holder, now=now)
        return _at(game, user, now=now)


def _after(old: Game, table: StandingTable, user: User, *, holder: str, now: datetime) -> Game:
    """The game after a finished one, which is its rematch too: those who press that come here."""
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
        before_start.sit(game.code, user, now=now)
    return game


def adopt(game: Game, table: StandingTable, user: User, *, now: datetime) -> None:
    """Make a game of this person, and the rematches of it, games of a table that they keep.

    Nothing happens to one that another table has, or at which they have no seat.
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


def keep_settings(game: Game) -> dict[str, Any]:
    """The settings of a game for a standing table that is made from it."""
    return to_json(replace(TableSettings.of(game), standing_id=None))
