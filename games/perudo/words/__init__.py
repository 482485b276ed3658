"""Everything Perudo says to people, in the active language: exactly these functions.

The rules know only codes and numbers; the words live here and in the templates. Each function
gives a whole sentence or a name. The game's own words dudo, calza, paco, palifico stay everywhere.
"""

from __future__ import annotations

from games.perudo.words.dice import bid, dice, face, hand
from games.perudo.words.facts import counted, narrate, narrate_to_you, verdict
from games.perudo.words.game import name, summary, tagline
from games.perudo.words.highlights import highlight, highlight_title, key_moment
from games.perudo.words.options import (
    bot,
    options,
    preset,
    preset_line,
    setting,
    setting_label,
)
from games.perudo.words.reasons import reason
from games.perudo.words.replay_moves import move, move_chance, move_odds
from games.words import percent as chance

__all__ = [
    "bid",
    "bot",
    "chance",
    "counted",
    "dice",
    "face",
    "hand",
    "highlight",
    "highlight_title",
    "key_moment",
    "move",
    "move_chance",
    "move_odds",
    "name",
    "options",
    "preset",
    "preset_line",
    "reason",
    "setting",
    "setting_label",
    "summary",
    "tagline",
    "narrate",
    "narrate_to_you",
    "verdict",
]
