"""What the screens of a table share: its rules in words, and who sits there."""

from __future__ import annotations

from typing import Any

from games import recent, words
from games.models import Game, Seat
from games.rules.perudo.options import CHOICES, Options, differences

# A person's name may change, or go, without a move: nothing is shown longer than this after it.
FRESH_SECONDS = 30


def seats_of(game: Game) -> list[Seat]:
    """The seats of a game that has begun, by number, with their people."""
    return recent.seats(game, within=FRESH_SECONDS)


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
