"""Everything Peco Peco says to people, in the active language: exactly these functions.

The rules know only codes and numbers; the words live here and in the templates. Each function
gives a whole sentence or a name.
"""

from __future__ import annotations

from games.peco_peco.words.cards import animal, card, card_played, cards, icon, icon_help
from games.peco_peco.words.facts import narrate, narrate_to_you
from games.peco_peco.words.game import name, summary, tagline
from games.peco_peco.words.highlights import highlight, highlight_title, key_moment
from games.peco_peco.words.last_moves import consequence, last_move, last_move_of_yours
from games.peco_peco.words.options import bot, options, preset, preset_line, setting, setting_label
from games.peco_peco.words.reasons import reason
from games.peco_peco.words.replay_moves import move, move_chance, move_odds
from games.peco_peco.words.stakes import (
    direction,
    dishes,
    food,
    more_cards,
    prizes,
    rule,
    rule_help,
    stake,
)

__all__ = [
    "animal",
    "bot",
    "card",
    "card_played",
    "cards",
    "consequence",
    "direction",
    "dishes",
    "food",
    "highlight",
    "highlight_title",
    "key_moment",
    "icon",
    "icon_help",
    "last_move",
    "last_move_of_yours",
    "more_cards",
    "move",
    "move_chance",
    "move_odds",
    "name",
    "options",
    "preset",
    "preset_line",
    "prizes",
    "reason",
    "rule",
    "rule_help",
    "setting",
    "setting_label",
    "stake",
    "summary",
    "tagline",
    "narrate",
    "narrate_to_you",
]
