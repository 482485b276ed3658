"""Abandoned games: when no person plays or watches any more, the game is ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from games.contract import catalogue
from games.core.moves import Leave
from games.models import Game, Seat

# How long a game continues while no person plays (each is out, has left or is replaced by a bot)
# and no person has its page open.
UNWATCHED_AT_MOST: Final = timedelta(minutes=10)


def all_left(seats: Sequence[Seat]) -> bool:
    """Whether every person at the table has left the game."""
    return all(seat.gone for seat in seats if seat.user_id is not None)


def is_abandoned(game: Game, seats: Sequence[Seat], state: object, *, now: datetime) -> bool:
    """Whether a running game must end: every person left, or none played or watched recently.

    A person who is out may keep watching, and one replaced by a bot may come back. For them the
    game continues while anybody has its page open (`Game.watched_at`), and for UNWATCHED_AT_MOST
    after that. The same applies to a paused game, whose person cannot play.
    """
    if all_left(seats):
        return True
    if game.paused_at is not None:
        looked = max(game.paused_at, game.watched_at or game.paused_at)
        return now - looked >= UNWATCHED_AT_MOST
    inside = catalogue.of(game.kind_key).rules.in_play(state)
    if any(not seat.held and seat.number in inside for seat in seats):
        return False
    seen = game.watched_at or game.started_at
    return seen is not None and now - seen >= UNWATCHED_AT_MOST


def departures(game: Game, seats: Sequence[Seat], state: object) -> list[tuple[int, object]]:
    """Return the moves that end an abandoned game, in order.

    All remaining seats but the last one leave: the people first, then the bots, and among each
    those furthest from winning first. The last seat wins by the ordinary rules, so the log and its
    replay need no other ending.
    """
    rules = catalogue.of(game.kind_key).rules
    staying = [seats[number] for number in reversed(rules.ranking(state))]
    staying = [seat for seat in staying if not seat.gone]
    leaving = sorted(staying, key=lambda seat: bool(seat.bot))[:-1]
    return [(seat.number, Leave()) for seat in leaving]
