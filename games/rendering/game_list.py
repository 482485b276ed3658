"""The games of the catalogue in words, for pages on which to choose one."""

from __future__ import annotations

from typing import Any

from games import catalogue


def games() -> list[dict[str, Any]]:
    """Every game in the order of the catalogue: its name, its words, its number of lessons."""
    return [shown(game) for game in catalogue.every()]


def shown(game: catalogue.Game) -> dict[str, Any]:
    """One game in a list; `picture` is the template of its picture."""
    return {
        "key": game.key,
        "name": game.words.name(),
        "tagline": game.words.tagline(),
        "summary": game.words.summary(),
        "lessons": len(game.tutorial.titles()),
        "least": game.rules.SEATS.start,
        "most": game.rules.SEATS[-1],
        "picture": f"{game.key}/_hero.html",
        "styles": game.assets.list_styles,
    }
