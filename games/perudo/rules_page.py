"""What the page of the rules compares: the printed rulebooks, and how quick games are played."""

from __future__ import annotations

from typing import Any

from games.perudo import words
from games.perudo.rules.options import CHOICES, PRESETS, SITE_OPTIONS, SITE_PRESET, differences
from games.table.preset_comparison import compared


def context() -> dict[str, Any]:
    """The presets with the points on which they differ, and the site's own choice, in words."""
    return {
        "presets": compared(PRESETS, CHOICES, words),
        "site": {
            "name": words.preset(SITE_PRESET),
            "differences": [
                words.setting(name, value)
                for name, value in differences(SITE_OPTIONS, SITE_PRESET).items()
            ],
        },
    }
