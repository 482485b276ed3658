"""The addresses of replays in lists of games."""

from __future__ import annotations

from typing import Final

from django.urls import reverse

# The value of `at` for the decisive moment; if the reader played, the decisive one for them.
DECISION: Final = "decision"


def of_decision(code: str) -> str:
    """The address of the decisive moment in the replay of a finished game, for a list of games.

    The replay page finds that moment, so that a list need not fold logs.
    """
    return f"{reverse('games:replay', args=[code])}?at={DECISION}"
