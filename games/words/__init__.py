"""Everything the game says to people, in the language of the moment: exactly these functions.

The rules know only codes and numbers; the words live here and in the templates. Each function
gives a whole sentence or a name. The game's own words dudo, calza, paco, palifico stay everywhere.
"""

from __future__ import annotations

from games.words.dice import bid, dice, face, hand
from games.words.facts import counted, told, verdict
from games.words.phrases import phrases, saying
from games.words.reasons import reason
from games.words.settings import bot, chance, pace, preset, setting, setting_label

__all__ = [
    "bid",
    "bot",
    "chance",
    "counted",
    "dice",
    "face",
    "hand",
    "pace",
    "phrases",
    "preset",
    "reason",
    "saying",
    "setting",
    "setting_label",
    "told",
    "verdict",
]
