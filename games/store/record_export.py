"""Export of a finished game as a record, in JSON for programs and in text for people."""

from __future__ import annotations

from games.contract import catalogue
from games.contract.game_values import RecordedFact
from games.core import game_record
from games.core.game_record import Record
from games.models import Game
from games.store import event_log, proofs


def log_of(game: Game) -> list[RecordedFact]:
    """Return every fact of the game, in order, including hidden ones.

    Raises ValueError until the game is over.
    """
    return event_log.unsealed_facts(game)


def record_of(game: Game) -> Record:
    """Return the record of the game with the players' present names, so without deleted ones.

    Raises ValueError until the game is over.
    """
    seats = list(game.seat_set.select_related("user"))
    facts = tuple(each.fact for each in event_log.unsealed_facts(game))
    return Record(
        game=game.kind_key,
        players=tuple(seat.name for seat in seats),
        facts=facts,
        date=None if game.started_at is None else game.started_at.date().isoformat(),
        version=catalogue.of(game.kind_key).rules.judged_by(facts),
        proof=proofs.of_finished(game, seats=len(seats)),
    )


def as_json(game: Game) -> str:
    """Return the record as JSON, one fact per line, to be read by `core.game_record.from_json`."""
    return game_record.to_json(record_of(game))


def as_text(game: Game) -> str:
    """Return the record as text for people, one line per round."""
    return catalogue.of(game.kind_key).notation.to_text(record_of(game))
