"""Thinking time of bots: the game's proposal, varied from turn to turn."""

from __future__ import annotations

from hashlib import sha256
from math import exp
from statistics import NormalDist
from typing import Final

from django.conf import settings

from games.contract import catalogue
from games.core import characters
from games.models import Game
from games.play import tempo

# The spread of thinking times around the usual one, similar to people's, and the limits as factors.
_SPREAD: Final = 0.35
_LEAST, _MOST = 0.5, 2.2


def usual_seconds(kind_key: str, seats: int) -> float:
    """Return the thinking time in seconds at a table of this many seats, before variation."""
    proposed = catalogue.of(kind_key).pace.bot_seconds(seats)
    most: float = settings.BOT_SECONDS
    return most if proposed is None else min(proposed, most)


def seconds(game: Game, usual: float, bot: str = "") -> float:
    """Return the thinking time in seconds for this turn of the game.

    It varies around `usual` from turn to turn, and with the pace of the character with the key
    `bot`. The variation is derived only from the table's code and its `seq`, so that the time
    reveals nothing about any hand. Games older than the tempo setting keep constant times.
    """
    if game.tempo not in tempo.TEMPOS:
        return usual
    character = characters.find(bot)
    pace, spread = (character.pace, character.spread) if character else (1.0, _SPREAD)
    drawn = sha256(f"{game.code} {game.seq}".encode()).digest()
    share = (int.from_bytes(drawn[:6]) + 0.5) / 2**48
    varied = exp(spread * NormalDist().inv_cdf(share))
    return usual * tempo.of(game).bot * pace * min(max(varied, _LEAST), _MOST)
