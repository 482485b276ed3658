"""The names and stories of the marks of Perudo."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.perudo import marks
from games.words import percent

_WORDS: Final = {
    "first_win": (pgettext_lazy("achievement", "First win"), _("Win a game.")),
    "first_dudo": (pgettext_lazy("achievement", "Seen through"), _("Doubt a false bid.")),
    "first_truth": (
        pgettext_lazy("achievement", "Honest"),
        _("Make a true bid that gets doubted."),
    ),
    "one_against_four": (
        pgettext_lazy("achievement", "The last die"),
        _("Win with one die against four or more."),
    ),
    "three_calzas": (
        pgettext_lazy("achievement", "Three times exact"),
        _("Call calza right three times in one game."),
    ),
    "comeback": (
        pgettext_lazy("achievement", "Back again"),
        _("Fall to one die and get back to three by calza."),
    ),
    "untouched": (
        pgettext_lazy("achievement", "Untouched"),
        _("Win without losing a die."),
    ),
    "ten_dice": (
        pgettext_lazy("achievement", "Think big"),
        _("Bid ten dice or more that are all there."),
    ),
    "keen_dudo": (
        pgettext_lazy("achievement", "Sixth sense"),
        _("Doubt a false bid that looked %(chance)s likely or more."),
    ),
    "by_one_die": (
        pgettext_lazy("achievement", "Photo finish"),
        _("Win on your last die with a dudo on a bid that is one die short."),
    ),
    "empty_hand": (
        pgettext_lazy("achievement", "Out of thin air"),
        _("Bid four dice or more without holding one of them, be doubted and be right."),
    ),
    "believed": (
        pgettext_lazy("achievement", "Poker face"),
        _("Make a false bid that looked %(chance)s likely or less and isn't doubted."),
    ),
    "no_error": (
        pgettext_lazy("achievement", "Flawless"),
        _("Play a whole game without an error in the review."),
    ),
}


# How likely a bid was to whoever doubted or made it, at the bound of a mark.
_CHANCES: Final = {"keen_dudo": marks.LIKELY, "believed": marks.BELIEVED}


def name(key: str) -> str:
    return str(_WORDS[key][0])


def story(key: str) -> str:
    story = str(_WORDS[key][1])
    return story % {"chance": percent(_CHANCES[key])} if key in _CHANCES else story
