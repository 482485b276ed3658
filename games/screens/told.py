"""What pages tell about a table's rules, in words; the same for the lobby, the table, a replay."""

from __future__ import annotations

from typing import Any

from games import words
from games.models import Game
from games.rules.perudo.options import CHOICES, Options, differences


def rules_in_words(game: Game) -> dict[str, Any]:
    """The preset's name, how this table differs from it, and every setting with its value."""
    options = Options.from_json(game.options)
    chosen = differences(options, game.preset)
    every = {name: getattr(options, name) for name in CHOICES}
    every["show_odds"] = game.show_odds  # no rule of the game, but a rule of this table
    if game.show_odds:
        chosen["show_odds"] = True
    return {
        "preset": game.preset,
        "name": words.preset(game.preset),
        "differences": [words.setting(name, value) for name, value in chosen.items()],
        "all": [
            (words.setting_label(name), words.setting(name, value)) for name, value in every.items()
        ],
        "calza": options.calza == "on",
        "lost_dice_visible": options.lost_dice_visible,
        "show_odds": game.show_odds,
    }
