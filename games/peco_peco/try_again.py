"""Peco Peco from a decision of a finished game on: see `optional_parts.TryAgain`."""

from __future__ import annotations

from typing import Final

from games.peco_peco.rules.midway import beginning

__all__ = ["BOT", "beginning"]

BOT: Final = "hard"  # the strongest
