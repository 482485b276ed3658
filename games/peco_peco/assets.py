"""The static files of Peco Peco, in the order in which its pages load them."""

from __future__ import annotations

from typing import Final

from games.contract.game_values import Assets

_WATCHED: Final = (
    *("peco_peco/cards.css", "peco_peco/curve.css", "peco_peco/table.css", "peco_peco/middle.css"),
    "peco_peco/stake.css",
    *("peco_peco/moments.css", "peco_peco/screens.css"),
)

ASSETS: Final = Assets(
    table_style="peco_peco/table-page.css",
    lesson_style="peco_peco/playing.css",
    replay_styles=(*_WATCHED, "peco_peco/hands.css"),
    board_styles=(*_WATCHED, "peco_peco/board.css"),
    table_script="peco_peco/table.js",
    keys="peco_peco/keys.js",
    sounds="peco_peco/sound.js",
    sound_files=(
        *("games/sounds/knock.wav", "games/sounds/note.wav"),
        *("peco_peco/sounds/bowl.wav", "peco_peco/sounds/card.wav", "peco_peco/sounds/slide.wav"),
    ),
    preview="peco_peco/preview.png",
    ending="peco_peco/ending.webp",
    list_styles=("peco_peco/cards.css", "peco_peco/lists.css"),
)
