"""The bold claims of a replay: those of people that other players could have believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.contract import catalogue
from games.models import Game, Seat

# The claims of a game that can be believed, the boldest ones.
MOST: Final = 5


def numbers(game: Game, seats: Sequence[Seat]) -> list[int]:
    """The moments of these claims in order; empty if nobody else could have believed them."""
    people = {seat.number for seat in seats if seat.user_id is not None}
    if len(people) < 2:  # noqa: PLR2004  # nobody else could believe anything
        return []
    replay = catalogue.of(game.kind_key).replay
    moments = replay.moments(game)
    found = ((number, moments[number - 1].move) for number in replay.bold_claims(game))
    own = [number for number, move in found if move and move.seat in people and not move.automatic]
    return sorted(own[:MOST])
