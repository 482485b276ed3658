"""What Perudo is called, and what it is, for pages that list games."""

from __future__ import annotations

from django.utils.translation import gettext


def name() -> str:
    return "Perudo"


def tagline() -> str:
    return gettext("Liar's dice: how many are under the cups?")


def summary() -> str:
    return gettext(
        "You can only see your own dice. Raise the bid, bluff, or call “Dudo!” to make everyone "
        "show theirs."
    )
