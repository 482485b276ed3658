"""The bots of Perudo: functions from the state as their seat knows it, and chance, to a move.

`state.dice` follows from public facts, so a bot uses the number of dice also where lost dice are
hidden (P45). It never reads a hand but its own. None means that it may not move, or does not want
to interrupt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.perudo.bots.answer import Bot
from games.perudo.bots.beginner import beginner
from games.perudo.bots.sharp import sharp
from games.perudo.bots.steady import steady

BOTS: Final[Mapping[str, Bot]] = {"beginner": beginner, "steady": steady, "sharp": sharp}
STAND_IN: Final = "steady"  # plays for absent people

__all__ = ["BOTS", "STAND_IN", "Bot"]
