"""The tables of the database: games and what is kept of them."""

from __future__ import annotations

from games.models.chat import Mute, Report, Saying, Silence
from games.models.game import LONGEST_CODE, Event, Game, Seat, new_code
from games.models.heartbeat import Hours
from games.models.results import PackedLog, Result, Tally

__all__ = [
    "LONGEST_CODE",
    "Event",
    "Game",
    "Hours",
    "Mute",
    "PackedLog",
    "Report",
    "Result",
    "Saying",
    "Seat",
    "Silence",
    "Tally",
    "new_code",
]
