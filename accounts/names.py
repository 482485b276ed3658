"""What people may be called: a name is readable, one line long, and taken by one person only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts import reserved
from accounts.skeletons import ignorable, skeleton

SHORTEST, LONGEST = 3, 20
LONGEST_SKELETON = 8 * LONGEST  # a Hangul syllable becomes seven characters, no letter more
LONGEST_TYPED = 8 * LONGEST  # a letter may be typed as itself and its marks; longer is no name

# Nobody is called like a bot at a table; names that speak for the site are in reserved.py.
BOTS = frozenset(
    "inti killa chaska waman illa sami wayra urpi crela zigo sulmo fanfo tokka".split()
)
RESERVED_BEGINNINGS = ("admin-", "admin_", "admin.", "bot-", "bot_", "bot.", "deleted-")

# Alphabets whose letters look alike: a name may use one of them, not two.
LOOK_ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")


def tidy(name: str) -> str:
    """The form in which a name is kept: no space around it, one way to write each letter."""
    return unicodedata.normalize("NFKC", name).strip()


def key(name: str) -> str:
    """What two names must not share: “Élise” and “élise” are the same name.

    Turkish has two letters i, whose capitals are I and İ. A keyboard that writes the first letter
    large turns “ışık” into “Işık” and “izmir” into “İzmir”, and Unicode's folding would make other
    names of them: here all four letters are one.
    """
    return unicodedata.normalize("NFKC", strict_key(name).replace("ı", "i").replace("i\u0307", "i"))


def strict_key(name: str) -> str:
    """The key in versions that took the Turkish letters for different ones.

    Such accounts keep it where another has the common key; no new name gets one.
    """
    return unicodedata.normalize("NFKC", tidy(name).casefold())


def keys(name: str) -> tuple[str, str]:
    """Under which keys an account of this name may be stored; the first one goes first."""
    return strict_key(name), key(name)


def skeleton_as_written(name: str) -> str:
    """Equal for names that look alike as they are written: “Ivan” and “lvan”."""
    return skeleton(tidy(name)).casefold()


def skeleton_folded(name: str) -> str:
    """Equal for names that look alike once both are in small letters: “Ivan” and “ivɑn”."""
    return skeleton(key(name)).casefold()


def strict_skeleton_folded(name: str) -> str:
    """`skeleton_folded` in versions with `strict_key`."""
    return skeleton(strict_key(name)).casefold()


def skeletons(name: str) -> set[str]:
    """Two names are confusable when these sets meet.

    Both are needed: looks do not survive a change of case (I looks like l, i does not).
    """
    return {skeleton_as_written(name), skeleton_folded(name)}


def of_one_alphabet(name: str) -> bool:
    """False for a name that mixes letters which only look the same, as in “аlice”."""
    spoken = [unicodedata.name(letter, "") for letter in name if letter.isalpha()]
    used = {alphabet for alphabet in LOOK_ALIKE for words in spoken if words.startswith(alphabet)}
    return len(used) <= 1


def well_formed(name: str) -> None:
    """Raises ValidationError with the one thing that is wrong with this name."""
    name = tidy(name)
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(
            _("Names must be %(shortest)d–%(longest)d characters."),
            code="name_length",
            params={"shortest": SHORTEST, "longest": LONGEST},
        )
    if not re.fullmatch(r"[\w.-]+", name) or not re.search(r"[^\W_]", name):
        raise ValidationError(
            _("Names can only contain letters, numbers, dots, hyphens and underscores."),
            code="name_characters",
        )
    if ignorable(name):
        raise ValidationError(_("Names can't contain invisible characters."), code="name_invisible")
    if not of_one_alphabet(name):
        raise ValidationError(_("Use letters from one alphabet only."), code="name_alphabets")


def not_reserved(name: str) -> None:
    """Raises ValidationError for a name that is reserved, or looks like one that is."""
    looks, beginnings = skeletons(name), tuple(_skeletons_of(RESERVED_BEGINNINGS))
    if (
        looks & _skeletons_of(BOTS)
        or any(look.startswith(beginnings) for look in looks)
        or reserved.speaks_for_site(tidy(name))
    ):
        raise ValidationError(
            _("This name is reserved. Please choose another."),
            code="name_reserved",
        )


@cache
def _skeletons_of(words: Iterable[str]) -> frozenset[str]:
    """The skeletons of these words in small letters, in capitals and as a title."""
    written = [way for word in words for way in (word, word.upper(), word.title())]
    return frozenset(look for way in written for look in skeletons(way))


validators = [well_formed, not_reserved]
