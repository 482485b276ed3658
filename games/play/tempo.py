"""The tempo of a table: one choice for turns, bots and the pause after a reveal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.models import Game


@dataclass(frozen=True, slots=True)
class Tempo:
    """Factors for the times of the site and of the game."""

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
    """Return the tempo of a table; tables older than this choice have the normal one."""
    return TEMPOS.get(game.tempo, TEMPOS[NORMAL])
