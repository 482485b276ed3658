"""The static files of Peco Peco, in the order in which its pages load them."""

from __future__ import annotations

from typing import Final

from games.game_values import Assets

_TABLE: Final = ("peco_peco/cards.css", "peco_peco/table.css", "peco_peco/moments.css")

ASSETS: Final = Assets(
    table_styles=(*_TABLE, "peco_peco/own.css", "peco_peco/screens.css"),
    replay_styles=(*_TABLE, "peco_peco/screens.css"),
    table_script="peco_peco/table.js",
    keys="peco_peco/keys.js",
    sounds="peco_peco/sound.js",
    preview="peco_peco/preview.png",
    list_styles=("peco_peco/cards.css", "peco_peco/lists.css"),
)
