"""Everything Perudo says to people, in the active language: exactly these functions.

The rules know only codes and numbers; the words live here and in the templates. Each function
gives a whole sentence or a name. The game's own words dudo, calza, paco, palifico stay everywhere.
"""

from __future__ import annotations

from games.perudo.words.dice import bid, dice, face, hand
from games.perudo.words.facts import counted, told, told_you, verdict
from games.perudo.words.game import name, summary, tagline
from games.perudo.words.highlights import highlight
from games.perudo.words.options import (
    bot,
    chance,
    options,
    preset,
    preset_line,
    setting,
    setting_label,
)
from games.perudo.words.reasons import reason

__all__ = [
    "bid",
    "bot",
    "chance",
    "counted",
    "dice",
    "face",
    "hand",
    "highlight",
    "name",
    "options",
    "preset",
    "preset_line",
    "reason",
    "setting",
    "setting_label",
    "summary",
    "tagline",
    "told",
    "told_you",
    "verdict",
]
