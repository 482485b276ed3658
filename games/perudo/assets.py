"""The static files of Perudo, in the order in which its pages load them."""

from __future__ import annotations

from typing import Final

from games.catalogue import Assets

ASSETS: Final = Assets(
    table_styles=("perudo/table.css", "perudo/own.css", "perudo/reveal.css", "perudo/screens.css"),
    replay_styles=("perudo/table.css", "perudo/reveal.css", "perudo/screens.css"),
    table_script="perudo/table.js",
    keys="perudo/keys.js",
    sounds="perudo/sound.js",
    preview="perudo/preview.png",
)
