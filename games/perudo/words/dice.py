"""The names of faces, dice and bids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext, gettext_lazy, ngettext_lazy, pgettext_lazy

from games.perudo.rules.bids import Bid

_FACES: Final = {
    1: gettext_lazy("paco"),
    2: pgettext_lazy("face of a die", "two"),
    3: pgettext_lazy("face of a die", "three"),
    4: pgettext_lazy("face of a die", "four"),
    5: pgettext_lazy("face of a die", "five"),
    6: pgettext_lazy("face of a die", "six"),
}


_DICE: Final = {
    1: ngettext_lazy("%(count)d paco", "%(count)d pacos", "count"),
    2: ngettext_lazy("%(count)d two", "%(count)d twos", "count"),
    3: ngettext_lazy("%(count)d three", "%(count)d threes", "count"),
    4: ngettext_lazy("%(count)d four", "%(count)d fours", "count"),
    5: ngettext_lazy("%(count)d five", "%(count)d fives", "count"),
    6: ngettext_lazy("%(count)d six", "%(count)d sixes", "count"),
}


def face(value: int) -> str:
    """The name of one face, 1 to 6: "paco", "two" … "six"; KeyError for another."""
    return str(_FACES[value])


def dice(count: int, value: int) -> str:
    """A number of dice of one face: "1 paco", "7 fours"; KeyError for a face that is none."""
    return _DICE[value] % {"count": count}


def bid(said: Bid) -> str:
    """A bid in words: "7 fours"."""
    return dice(said.quantity, said.face)


def hand(faces: Sequence[int]) -> str:
    """Your dice, one by one, as a sentence for those who listen."""
    named = ", ".join(face(value) for value in faces)
    return gettext("Your dice: %(dice)s.") % {"dice": named}
