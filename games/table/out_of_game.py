"""The choices of a player who is out of a running game: start a new one, or skip to the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Game, Seat
from games.play import skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Skip:
    """The vote to skip to the end.

    `of` counts all people who are out and have not left the game, whether they watch or not, so
    that it doesn't reveal who watches.
    """

    now: bool
    mine: bool
    agreed: int
    of: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OutOfGame:
    """What a player who is out may do."""

    against_bots: bool  # no other seat is a person's
    skip: Skip | None  # None while a person still plays


def choices(game: Game, seats: Sequence[Seat], state: object, number: int) -> OutOfGame:
    """What the player at this seat may do once they are out."""
    asked = skip.voters(game, seats, state)
    return OutOfGame(
        against_bots=all(seat.bot for seat in seats if seat.number != number),
        skip=Skip(
            now=game.skipping,
            mine=seats[number].skips,
            agreed=sum(seat.skips for seat in asked),
            of=len(asked),
        )
        if asked
        else None,
    )
