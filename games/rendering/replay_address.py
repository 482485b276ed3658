"""Where the links to replays lead."""

from __future__ import annotations

from typing import Final

from django.urls import reverse

# What `at` may ask for: where the game was decided, and the last decision that the reader was in.
DECISION: Final = "decision"
MINE: Final = "mine"


def of_decision(code: str) -> str:
    """The replay of a finished game, from a list of games: where the game was decided.

    Which moment that is, the replay finds out: a list folds no logs.
    """
    return f"{reverse('games:replay', args=[code])}?at={DECISION}"
