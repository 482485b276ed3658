"""The rules of the first game, for four to eight players."""

from __future__ import annotations

from typing import Any

from games.perudo import rules
from games.perudo.rules import *  # noqa: F403

KEY = "other"
SEATS = range(4, 9)

started: list[int | None] = []  # the starters that these rules were given, newest last


def start(seats: int, options: Any, chance: Any, *, starter: int | None = None) -> Any:
    started.append(starter)
    return rules.start(seats, options, chance, starter=starter)
