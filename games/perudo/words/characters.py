"""What the characters of Perudo are like, and what they say when a round or a game is over."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

_LINES: Final = {
    "crela": _("Believes almost everything. Good for a first game."),
    "zigo": _("Doubts early, doubts late: you never know."),
    "sulmo": _("Bids what is likely and takes few risks."),
    "fanfo": _("Bluffs more than the others."),
    "tokka": _("Calls calza at every chance, where it is allowed."),
}

_PHRASES: Final = {
    ("crela", "right"): pgettext_lazy("Crela", "So I was right?"),
    ("crela", "wrong"): pgettext_lazy("Crela", "And I believed it!"),
    ("crela", "out"): pgettext_lazy("Crela", "Then I'll watch."),
    ("crela", "won"): pgettext_lazy("Crela", "Me? Really?"),
    ("crela", "beaten"): pgettext_lazy("Crela", "Happy for you!"),
    ("zigo", "right"): pgettext_lazy("Zigo", "Was that me?"),
    ("zigo", "wrong"): pgettext_lazy("Zigo", "I felt like it."),
    ("zigo", "out"): pgettext_lazy("Zigo", "And off I go!"),
    ("zigo", "won"): pgettext_lazy("Zigo", "Don't ask me how!"),
    ("zigo", "beaten"): pgettext_lazy("Zigo", "Heads or tails?"),
    ("sulmo", "right"): pgettext_lazy("Sulmo", "Slow but sure."),
    ("sulmo", "wrong"): pgettext_lazy("Sulmo", "I was so careful."),
    ("sulmo", "out"): pgettext_lazy("Sulmo", "A risk too many."),
    ("sulmo", "won"): pgettext_lazy("Sulmo", "Step by step."),
    ("sulmo", "beaten"): pgettext_lazy("Sulmo", "Nicely played."),
    ("fanfo", "right"): pgettext_lazy("Fanfo", "Did you doubt me?"),
    ("fanfo", "wrong"): pgettext_lazy("Fanfo", "Worth a try."),
    ("fanfo", "out"): pgettext_lazy("Fanfo", "What an exit!"),
    ("fanfo", "won"): pgettext_lazy("Fanfo", "All true. Nearly."),
    ("fanfo", "beaten"): pgettext_lazy("Fanfo", "Bravo, maestro!"),
    ("tokka", "right"): pgettext_lazy("Tokka", "Exactly!"),
    ("tokka", "wrong"): pgettext_lazy("Tokka", "So close!"),
    ("tokka", "out"): pgettext_lazy("Tokka", "Off by a hair."),
    ("tokka", "won"): pgettext_lazy("Tokka", "On the dot."),
    ("tokka", "beaten"): pgettext_lazy("Tokka", "Well counted!"),
}


def line(key: str) -> str:
    """What to expect of a character, in one line; KeyError for an unknown one."""
    return str(_LINES[key])


def phrase(key: str, occasion: str) -> str:
    """What a character says on an occasion (see `optional_parts.CharacterWords`); KeyError for an
    unknown pair.
    """
    return str(_PHRASES[key, occasion])
