"""The names and stories of the marks of Peco Peco."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

_WORDS: Final = {
    "first_win": (pgettext_lazy("achievement", "First win"), _("Win a game.")),
    "first_catch": (pgettext_lazy("achievement", "Gotcha"), _("Accuse a player who is bluffing.")),
    "first_bluff": (
        pgettext_lazy("achievement", "Straight face"),
        _("Bluff without being accused."),
    ),
    "bluffs": (
        pgettext_lazy("achievement", "Serial bluffer"),
        _("Bluff eight times in a row in one round without being caught."),
    ),
    "full_hand": (
        pgettext_lazy("achievement", "Who, me?"),
        _("Say you can't play with four cards or more that all fit, and don't get caught."),
    ),
    "catches": (
        pgettext_lazy("achievement", "Lie detector"),
        _("Catch five bluffs in one round."),
    ),
    "wrongly_accused": (
        pgettext_lazy("achievement", "Wrongly accused"),
        _("Be accused four times in one round and be honest each time."),
    ),
    "caught_and_won": (
        pgettext_lazy("achievement", "Thick-skinned"),
        _("Get caught bluffing three times in one round and still win it."),
    ),
    "three_rounds": (
        pgettext_lazy("achievement", "Still hungry"),
        _("Win three rounds in a row."),
    ),
    "no_bluff": (
        pgettext_lazy("achievement", "Nothing but the truth"),
        _("Win a game without bluffing."),
    ),
    "set_menu": (
        pgettext_lazy("achievement", "Set menu"),
        _("Win with maki, sushi and onigiri within six rounds."),
    ),
}


def name(key: str) -> str:
    return str(_WORDS[key][0])


def story(key: str) -> str:
    return str(_WORDS[key][1])
