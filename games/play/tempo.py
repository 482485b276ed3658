"""The tempo of a table: one choice for turns, bots and the pause after a reveal."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from math import exp
from statistics import NormalDist
from typing import Final

from games.models import Game

# How far the time a bot takes spreads around the usual one, as people's does, and its limits.
_SPREAD: Final = 0.35
_LEAST, _MOST = 0.5, 2.2


@dataclass(frozen=True, slots=True)
class Tempo:
    """What the times of the site and of the game are multiplied by."""

    turn: float
    bot: float
    reveal: float


TEMPOS: Final = {
    "relaxed": Tempo(turn=2, bot=1.6, reveal=2),
    "normal": Tempo(turn=1, bot=1, reveal=1),
    "fast": Tempo(turn=0.5, bot=0.55, reveal=0.5),
}
NORMAL: Final = "normal"


def of(game: Game) -> Tempo:
    """The tempo of a table; the normal one for tables from before there was a choice."""
    return TEMPOS.get(game.tempo, TEMPOS[NORMAL])


def bot_seconds(game: Game, usual: float) -> float:
    """How long a bot takes for this turn.

    It differs from turn to turn around `usual`. The chance comes from the table's code and the
    number of its last fact alone, so that the time tells nothing of any hand. A table from before
    there was a tempo keeps its even times.
    """
    if game.tempo not in TEMPOS:
        return usual
    drawn = sha256(f"{game.code} {game.seq}".encode()).digest()
    share = (int.from_bytes(drawn[:6]) + 0.5) / 2**48
    varied = exp(_SPREAD * NormalDist().inv_cdf(share))
    return usual * of(game).bot * min(max(varied, _LEAST), _MOST)
