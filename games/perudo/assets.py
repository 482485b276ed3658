"""The static files of Perudo, in the order in which its pages load them."""

from __future__ import annotations

from typing import Final

from games.contract.game_values import Assets

_WATCHED: Final = (
    *("perudo/dice.css", "perudo/table.css"),
    *("perudo/reveal.css", "perudo/palifico.css", "perudo/screens.css"),
)

ASSETS: Final = Assets(
    table_style="perudo/table-page.css",
    lesson_style="perudo/playing.css",
    replay_styles=_WATCHED,
    board_styles=(*_WATCHED, "perudo/board.css"),
    table_script="perudo/table.js",
    keys="perudo/keys.js",
    sounds="perudo/sound.js",
    sound_files=(
        *("games/sounds/knock.wav", "games/sounds/note.wav"),
        *("perudo/sounds/die.wav", "perudo/sounds/lift.wav", "perudo/sounds/roll.wav"),
    ),
    preview="perudo/preview.png",
    ending="perudo/ending.webp",
    list_styles=("perudo/dice.css", "perudo/lists.css"),
)
