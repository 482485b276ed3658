"""The record of a finished game of Perudo to download: JSON for programs, text for people."""

from __future__ import annotations

from games.core.record import to_json
from games.perudo.rules.notation import to_text

__all__ = ["to_json", "to_text"]
