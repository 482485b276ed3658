"""What a player who is out of a running game may do: start a new one, or skip to the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.models import Game, Seat
from games.play import skip


def choices(game: Game, seats: Sequence[Seat], state: Any, number: int) -> dict[str, Any]:
    """`against_bots`: nobody else at the table is a person. `skip`: None while a person plays.

    Of those asked all are counted who are out and have not left the game: who watches is not said.
    """
    asked = skip.voters(game, seats, state)
    return {
        "against_bots": all(seat.bot for seat in seats if seat.number != number),
        "skip": asked
        and {
            "now": game.skipping,
            "mine": seats[number].skips,
            "agreed": sum(seat.skips for seat in asked),
            "of": len(asked),
        },
    }
