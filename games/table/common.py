"""Shared parts of the screens of a table: its seats, its rules in words, its next table."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.utils.translation import gettext

from games.contract import catalogue
from games.contract.game_values import Look, NextTable, TableRules
from games.models import Game, Seat
from games.play import first_deal
from games.play.ratings import verdict
from games.store import event_log, queries, row_cache

# A person's name may change, or be deleted, without a move; cached seats are this old at most.
FRESH_SECONDS = 30


def seats_of(game: Game) -> list[Seat]:
    """The seats of a game that has begun, by number, with their people."""
    return row_cache.seats(game, within=FRESH_SECONDS)


def look_at(game: Game) -> Look:
    """The values a presenter needs of a game that has begun; call it again after each move."""
    seats = seats_of(game)
    return Look(
        game=game,
        seats=seats,
        names=[seat.name for seat in seats],
        known=event_log.known(game),
        next_table=next_table(game),
        rated=verdict.is_rated(game),
    )


def rules_in_words(game: Game) -> TableRules:
    """The rules of a table, in the words of its game, and whether it is to be rated."""
    rules = catalogue.of(game.kind_key).words.options(game)
    if not verdict.may_be_rated_at(game):
        return rules
    return replace(rules, badges=(*rules.badges, gettext("rated")))


def next_table(game: Game) -> NextTable | None:
    """The next table of these players; None if nobody has opened one or if it was closed."""
    if game.rematch_id is None:
        return None
    row = Game.objects.filter(pk=game.rematch_id).exclude(status=Game.Status.CLOSED).first()
    if row is None:
        return None
    begins_ms = milliseconds(queries.begins_at(row))
    has_begun = row.status != Game.Status.OPEN or first_deal.is_waited_for(row)
    return NextTable(row.code, begins_ms, has_begun=has_begun)


def milliseconds(at: datetime | None) -> int | None:
    """A time as browsers count it, in milliseconds since 1970; None for None."""
    return None if at is None else int(at.timestamp() * 1000)
