"""A finished game as a record to take away, in JSON for programs and in text for people."""

from __future__ import annotations

from games import log
from games.models import Game
from games.rules.perudo import notation, record
from games.rules.perudo.record import Record


def record_of(game: Game) -> Record:
    """Every fact of the game under the names of today, so that who was deleted has none.

    ValueError while the game is not over.
    """
    seats = game.seat_set.select_related("user")
    return Record(
        players=tuple(seat.name for seat in seats),
        facts=tuple(each.fact for each in log.unsealed_facts(game)),
        date=None if game.started_at is None else game.started_at.date().isoformat(),
    )


def as_json(game: Game) -> str:
    """The record with every fact, one a line; `record.from_json` reads it back."""
    return record.to_json(record_of(game))


def as_text(game: Game) -> str:
    """The record with one line a round; `reading.from_text` reads it back."""
    return notation.to_text(record_of(game))
