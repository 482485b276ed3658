"""The games of the catalogue in words, for pages on which to choose one."""

from __future__ import annotations

from typing import Any

from games import catalogue


def games() -> list[dict[str, Any]]:
    """Every game in the order of the catalogue: its name, its words, its number of lessons."""
    return [shown(kind) for kind in catalogue.every()]


def shown(kind: catalogue.GameKind) -> dict[str, Any]:
    """One game in a list; `picture` is the template of its picture."""
    return {
        "key": kind.key,
        "name": kind.words.name(),
        "tagline": kind.words.tagline(),
        "summary": kind.words.summary(),
        "lessons": len(kind.tutorial.titles()),
        "least": kind.rules.SEATS.start,
        "most": kind.rules.SEATS[-1],
        "picture": f"{kind.key}/_hero.html",
        "styles": kind.assets.list_styles,
    }
