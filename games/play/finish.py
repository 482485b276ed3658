"""What a game leaves when it ends: a result for each person, counted on in the person's tallies.

A tally counts what people did themselves. A game that somebody left, or that a bot finished, is
neither won nor lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games import catalogue
from games.models import Game, Result, Seat, Tally


def write(game: Game, seats: Sequence[Seat]) -> None:
    """Write down how the game went; the caller holds the transaction in which it ended."""
    people = [seat for seat in seats if seat.user_id is not None]
    Result.objects.bulk_create(result_of(game, seat) for seat in people)
    own = catalogue.of(game.rules).stats.count_game(game, people)
    Tally.objects.add(
        game.rules,
        {seat.user_id: {place_of(seat): 1, **own[seat.number]} for seat in people if seat.user_id},
    )


def result_of(game: Game, seat: Seat) -> Result:
    """The result of a person's seat in a finished game, not saved."""
    facts: Any = {"user_id": seat.user_id, "finished_at": game.finished_at, "place": seat.place}
    return Result(
        seat=seat,
        game_key=game.rules,
        left=seat.left,
        preset=game.preset,
        variant=catalogue.of(game.rules).stats.variant(game),
        public=game.public,
        **facts,
    )


def place_of(seat: Seat) -> str:
    """The counter in which the finished game of a person's seat counts: `left` or `place_<n>`."""
    return "left" if seat.left else f"place_{seat.place}"
