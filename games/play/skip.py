"""Skipping to the end: when only bots still play, players who are out can see the final ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from games.contract import catalogue
from games.models import Game, Seat

# A player who is out counts as watching for this long after the page last reported it. An open page
# reports it with each heartbeat, every 30 s at most (see `presence`).
WATCHING_FOR: Final = timedelta(minutes=1)


def only_bots_play(game: Game, seats: Sequence[Seat], state: object) -> bool:
    """Whether every person is out of the game or has left it."""
    inside = (seats[number] for number in catalogue.of(game.kind_key).rules.in_play(state))
    return all(seat.bot or seat.gone for seat in inside)


def voters(game: Game, seats: Iterable[Seat], state: object) -> list[Seat]:
    """Return the people who are out and have not left; empty while a person still plays."""
    seats = list(seats)
    if not only_bots_play(game, seats, state):
        return []
    inside = catalogue.of(game.kind_key).rules.in_play(state)
    return [seat for seat in seats if not (seat.bot or seat.gone or seat.number in inside)]


def is_agreed(game: Game, seats: Sequence[Seat], state: object, *, now: datetime) -> bool:
    """Whether at least one person wants to skip, and so does everybody who is out and watches.

    People who closed the page more than WATCHING_FOR ago are not waited for.
    """
    if not any(seat.skips for seat in seats):
        return False
    waited_for = [seat.pk for seat in voters(game, seats, state) if not seat.skips]
    # Presence does not count as a change of the seat, so the cached seats may be stale.
    watching = Seat.objects.filter(pk__in=waited_for, seen_at__gt=now - WATCHING_FOR)
    return only_bots_play(game, seats, state) and not watching.exists()
