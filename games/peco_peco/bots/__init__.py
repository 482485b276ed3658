"""The bots of Peco Peco: functions from the state as their seat knows it, and chance, to a move.

A bot reads its own hand, what lies open, and the numbers that everybody sees: never another hand
nor the order of a pile. None means that it may not move, or does not want to interrupt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.peco_peco.bots.answer import Bot
from games.peco_peco.bots.easy import easy
from games.peco_peco.bots.hard import hard
from games.peco_peco.bots.medium import medium

BOTS: Final[Mapping[str, Bot]] = {"easy": easy, "medium": medium, "hard": hard}
MIXED: Final = BOTS  # they play the same whoever is at the table
STAND_IN: Final = "medium"  # plays for absent people

__all__ = ["BOTS", "MIXED", "STAND_IN", "Bot"]
