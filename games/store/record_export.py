"""A finished game as a record to download, in JSON for programs and in text for people."""

from __future__ import annotations

from games import catalogue
from games.core import game_record
from games.core.game_record import Record
from games.game_values import RecordedFact
from games.models import Game
from games.store import event_log


def log_of(game: Game) -> list[RecordedFact]:
    """Every fact of the game in order, nothing hidden. ValueError while the game is not over."""
    return event_log.unsealed_facts(game)


def record_of(game: Game) -> Record:
    """Every fact of the game with the players' present names, so that deleted players have none.

    ValueError while the game is not over.
    """
    seats = game.seat_set.select_related("user")
    facts = tuple(each.fact for each in event_log.unsealed_facts(game))
    return Record(
        game=game.kind_key,
        players=tuple(seat.name for seat in seats),
        facts=facts,
        date=None if game.started_at is None else game.started_at.date().isoformat(),
        version=catalogue.of(game.kind_key).rules.judged_by(facts),
    )


def as_json(game: Game) -> str:
    """The record with every fact, one a line; `core.game_record.from_json` reads it back."""
    return game_record.to_json(record_of(game))


def as_text(game: Game) -> str:
    """The record with one line a round, for people."""
    return catalogue.of(game.kind_key).notation.to_text(record_of(game))
