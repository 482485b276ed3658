"""Tables with everybody in their seat, as the lobby makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from games.models import TableSettings
from games.play import before_start


def full_table(
    people: Sequence[Any], *, key: str, preset: str, options: Mapping[str, Any], now: datetime
) -> str:
    """The code of a public game of these people without a clock, which its host may start."""
    host, *others = people
    game = before_start.open_game(
        host,
        TableSettings(
            kind_key=key,
            preset=preset,
            options=dict(options),
            size=len(people),
            turn_seconds=None,
        ),
        now=now,
    )
    for person in others:
        before_start.sit(game.code, person, now=now)
    return game.code
