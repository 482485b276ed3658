"""How long bots think: what the game proposes, varied from turn to turn."""

from __future__ import annotations

from hashlib import sha256
from math import exp
from statistics import NormalDist
from typing import Final

from django.conf import settings

from games import catalogue
from games.core import characters
from games.models import Game
from games.play import tempo

# How far the time a bot takes spreads around the usual one, as people's does, and its limits.
_SPREAD: Final = 0.35
_LEAST, _MOST = 0.5, 2.2


def usual_seconds(kind_key: str, seats: int) -> float:
    """How long a bot takes at a table of so many seats, before it is varied."""
    proposed = catalogue.of(kind_key).pace.bot_seconds(seats)
    most: float = settings.BOT_SECONDS
    return most if proposed is None else min(proposed, most)


def seconds(game: Game, usual: float, bot: str = "") -> float:
    """How long a bot takes for this turn of the game.

    It differs from turn to turn around `usual`, and by the pace of the character with the key
    `bot`. The chance comes from the table's code and the number of its last fact alone, so that the
    time tells nothing of any hand. A table from before there was a tempo keeps its even times.
    """
    if game.tempo not in tempo.TEMPOS:
        return usual
    character = characters.find(bot)
    pace, spread = (character.pace, character.spread) if character else (1.0, _SPREAD)
    drawn = sha256(f"{game.code} {game.seq}".encode()).digest()
    share = (int.from_bytes(drawn[:6]) + 0.5) / 2**48
    varied = exp(spread * NormalDist().inv_cdf(share))
    return usual * tempo.of(game).bot * pace * min(max(varied, _LEAST), _MOST)
