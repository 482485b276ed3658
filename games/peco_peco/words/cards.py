"""The names of animals, icons and Animal cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.peco_peco.rules import cards as rules
from games.peco_peco.rules.cards import Card

_ANIMALS: Final = {
    "E": pgettext_lazy("card", "elephant"),
    "C": pgettext_lazy("card", "cat"),
    "M": pgettext_lazy("card", "mouse"),
}
_PLAYED: Final = {
    "E": pgettext_lazy("card", "an elephant"),
    "C": pgettext_lazy("card", "a cat"),
    "M": pgettext_lazy("card", "a mouse"),
}
_ICONS: Final = {
    "r": pgettext_lazy("icon of a card", "reverse"),
    "d": pgettext_lazy("icon of a card", "draw"),
    "s": pgettext_lazy("icon of a card", "steal"),
    "b": pgettext_lazy("icon of a card", "bomb"),
}
_HELP: Final = {
    "r": _("The direction of play changes."),
    "d": _("You draw a card."),
    "s": _("An opponent loses a random card, which nobody sees."),
    "b": _("Beats any card."),
}


def animal(code: str) -> str:
    """The animal `E`, `C` or `M`: "elephant"; KeyError for another."""
    return str(_ANIMALS[code])


def icon(code: str) -> str:
    """The icon `r`, `d`, `s` or `b`: "bomb"; KeyError for another."""
    return str(_ICONS[code])


def icon_help(code: str) -> str:
    """What the icon does, in one sentence; KeyError for an unknown one."""
    return str(_HELP[code])


def animal_played(code: Card) -> str:
    """A card as part of a sentence, without its icon: "a cat"; KeyError for one that is none."""
    return str(_PLAYED[rules.animal(code)])


def card(code: Card) -> str:
    """A card: "cat", "mouse (bomb)"; KeyError for one that is none."""
    return _with_icon(code, animal(rules.animal(code)))


def card_played(code: Card) -> str:
    """The same as part of a sentence: "a cat", "a mouse (bomb)"."""
    return _with_icon(code, str(_PLAYED[rules.animal(code)]))


def cards(codes: Iterable[Card]) -> str:
    """Several cards: "cat, cat, mouse (bomb)"."""
    return ", ".join(map(card, codes))


def cards_played(codes: Iterable[Card]) -> str:
    """The same as part of a sentence: "a cat, a mouse (bomb)"."""
    return ", ".join(map(card_played, codes))


def _with_icon(code: Card, named: str) -> str:
    if not rules.icon(code):
        return named
    form = gettext("%(animal)s (%(icon)s)")
    return form % {"animal": named, "icon": icon(rules.icon(code))}
