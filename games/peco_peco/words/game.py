"""What Peco Peco is called, and what it is, for pages that list games."""

from __future__ import annotations

from django.utils.translation import gettext


def name() -> str:
    return "Peco Peco"


def tagline() -> str:
    return gettext("Bluff with animal cards: can you really not play?")


def summary() -> str:
    return gettext(
        "Play a card that beats the last one, or say you can't, even if you can. "
        "Win the round to win its dishes; collect all three kinds first."
    )
