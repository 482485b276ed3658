"""Deadlines: when the time to act runs out, and when the scheduler looks at a game before that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from games import catalogue
from games.core.contract import Waiting
from games.models import Game, Seat

# When only bots are left to acknowledge it, the result of a round is shown no longer than this.
BOTS_LOOK_SECONDS = 3


def set_deadlines(
    game: Game, seats: Sequence[Seat], state: Any, waiting: Waiting | None, *, now: datetime
) -> None:
    """Write the deadlines for what the game waits for now into `game`, without saving it.

    `opens_at`: before it the seat on turn may not cut off those that may interrupt.
    `turn_ends_at`: what people are shown; None: no time limit. `due_at`: when the scheduler looks
    at the game, for a bot that may interrupt before `turn_ends_at`; None: never.
    """
    game.opens_at = None
    if waiting is None:
        game.turn_ends_at = game.due_at = None
        return
    if game.skipping:
        game.turn_ends_at = game.due_at = now
        return
    pace = catalogue.of(game.rules).pace
    match waiting.kind:
        case "window":
            game.turn_ends_at = now + _ms(pace.window_ms(state))
        case "reveal":
            seconds = settings.REVEAL_SECONDS
            if not people(seats, waiting):
                seconds = min(seconds, BOTS_LOOK_SECONDS)
            game.turn_ends_at = now + _ms(pace.reveal_ms(state)) + timedelta(seconds=seconds)
        case "turn":
            opens = now
            if waiting.may_interrupt:
                game.opens_at = opens = now + _ms(pace.hold_ms(state))
            game.turn_ends_at = _end_of_turn(game, seats, waiting, opens, now=now)
    game.due_at = game.turn_ends_at
    if any(seats[number].bot for number in waiting.may_interrupt):
        asked = pace.ask_bots_ms(state)
        if asked is not None:
            game.due_at = now + _ms(asked)


def turn_seconds(game_key: str, seats: int) -> int:
    """How long a turn lasts at a table of so many seats where nobody chose a time."""
    proposed = catalogue.of(game_key).pace.turn_seconds(seats)
    most: int = settings.TURN_SECONDS
    return most if proposed is None else min(proposed, most)


def _bot_seconds(game_key: str, seats: int) -> float:
    proposed = catalogue.of(game_key).pace.bot_seconds(seats)
    most: float = settings.BOT_SECONDS
    return most if proposed is None else min(proposed, most)


def people(seats: Sequence[Seat], waiting: Waiting) -> list[int]:
    """The seats that may act and that a person plays."""
    return [number for number in waiting.seats if not seats[number].held]


def _end_of_turn(
    game: Game, seats: Sequence[Seat], waiting: Waiting, opens: datetime, *, now: datetime
) -> datetime | None:
    assert waiting.on_turn is not None  # noqa: S101
    if seats[waiting.on_turn].held:
        thinking = timedelta(seconds=_bot_seconds(game.rules, len(seats)))
        return max(now + thinking, opens)
    if game.turn_seconds is None:
        return None
    return opens + timedelta(seconds=game.turn_seconds)


def _ms(milliseconds: float) -> timedelta:
    return timedelta(milliseconds=milliseconds)
