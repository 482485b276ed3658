"""Perudo from a decision of a finished game on: see `optional_parts.TryAgain`."""

from __future__ import annotations

from typing import Final

from games.perudo.rules.midway import beginning

__all__ = ["BOT", "beginning"]

BOT: Final = "expert"  # the strongest of the ladder
