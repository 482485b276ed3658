"""Shorter turns the more play."""

from __future__ import annotations

from games.perudo.pace import *  # noqa: F403

# By the number of seats: (seconds of a turn, of a bot's turn).
PROPOSED = {7: (25, 0.5), 8: (20, 0.4)}


def turn_seconds(seats: int) -> int | None:
    return PROPOSED.get(seats, (None, None))[0]


def bot_seconds(seats: int) -> float | None:
    return PROPOSED.get(seats, (None, None))[1]
