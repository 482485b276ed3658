"""The static files of Peco Peco, in the order in which its pages load them."""

from __future__ import annotations

from typing import Final

from games.game_values import Assets

_TABLE: Final = (
    *("peco_peco/cards.css", "peco_peco/table.css"),
    *("peco_peco/middle.css", "peco_peco/moments.css"),
)
_OWN: Final = ("peco_peco/controls.css", "peco_peco/own.css")

ASSETS: Final = Assets(
    table_styles=(*_TABLE, *_OWN, "peco_peco/screens.css"),
    replay_styles=(*_TABLE, "peco_peco/screens.css"),
    board_styles=(*_TABLE, "peco_peco/screens.css", "peco_peco/board.css"),
    cover_style="peco_peco/cover.css",
    table_script="peco_peco/table.js",
    keys="peco_peco/keys.js",
    sounds="peco_peco/sound.js",
    sound_files=(
        *("games/sounds/knock.wav", "games/sounds/note.wav"),
        *("peco_peco/sounds/bowl.wav", "peco_peco/sounds/card.wav", "peco_peco/sounds/slide.wav"),
    ),
    preview="peco_peco/preview.png",
    list_styles=("peco_peco/cards.css", "peco_peco/lists.css"),
)
