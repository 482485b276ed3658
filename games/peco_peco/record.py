"""The record of a finished game of Peco Peco to download: JSON for programs, text for people."""

from __future__ import annotations

from games.core.record import to_json
from games.peco_peco.rules.notation import to_text

__all__ = ["to_json", "to_text"]
