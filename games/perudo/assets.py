"""The static files of Perudo, in the order in which its pages load them."""

from __future__ import annotations

from typing import Final

from games.game_values import Assets

_TABLE: Final = ("perudo/dice.css", "perudo/table.css")
_WATCHED: Final = (*_TABLE, "perudo/reveal.css", "perudo/screens.css")

ASSETS: Final = Assets(
    table_styles=(*_TABLE, "perudo/own.css", "perudo/reveal.css", "perudo/screens.css"),
    replay_styles=_WATCHED,
    board_styles=(*_WATCHED, "perudo/board.css"),
    cover_style="perudo/cover.css",
    table_script="perudo/table.js",
    keys="perudo/keys.js",
    sounds="perudo/sound.js",
    sound_files=(
        *("games/sounds/knock.wav", "games/sounds/note.wav"),
        *("perudo/sounds/die.wav", "perudo/sounds/lift.wav", "perudo/sounds/roll.wav"),
    ),
    preview="perudo/preview.png",
    list_styles=("perudo/dice.css", "perudo/lists.css"),
)
