"""What the page of the rules compares: the printed rulebooks, and how quick games are played."""

from __future__ import annotations

from typing import Any

from games.perudo import words
from games.perudo.rules.options import CHOICES, PRESETS, SITE_OPTIONS, SITE_PRESET, differences


def context() -> dict[str, Any]:
    """The presets with the points on which they differ, and the site's own choice, in words."""
    books = {key: options.to_json() for key, options in PRESETS.items()}
    parted = [name for name in CHOICES if len({book[name] for book in books.values()}) > 1]
    return {
        "presets": [
            {
                "name": words.preset(key),
                "points": [
                    (words.setting_label(name), words.setting(name, book[name])) for name in parted
                ],
            }
            for key, book in books.items()
        ],
        "site": {
            "name": words.preset(SITE_PRESET),
            "differences": [
                words.setting(name, value)
                for name, value in differences(SITE_OPTIONS, SITE_PRESET).items()
            ],
        },
    }
