"""What the screens of a table share: its rules in words, and who sits there."""

from __future__ import annotations

from datetime import datetime

from games import catalogue
from games.catalogue import TableRules
from games.models import Game, Seat
from games.store import row_cache

# A person's name may change, or go, without a move: nothing is shown longer than this after it.
FRESH_SECONDS = 30


def seats_of(game: Game) -> list[Seat]:
    """The seats of a game that has begun, by number, with their people."""
    return row_cache.seats(game, within=FRESH_SECONDS)


def rules_in_words(game: Game) -> TableRules:
    """The rules of a table, in the words of its game."""
    return catalogue.of(game.rules).words.options(game)


def rematch_code(game: Game) -> str | None:
    """The next table of these players; None while nobody has opened one, or when it closed."""
    if game.rematch_id is None:
        return None
    still = Game.objects.filter(pk=game.rematch_id).exclude(status=Game.Status.CLOSED)
    return still.values_list("code", flat=True).first()


def milliseconds(at: datetime | None) -> int | None:
    """A moment as the browser counts it: milliseconds since 1970."""
    return None if at is None else int(at.timestamp() * 1000)
