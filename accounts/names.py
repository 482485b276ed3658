"""Rules for names, which are readable, one line long and unique, and keys to compare them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts import reserved, scripts
from accounts.skeletons import ignorable, skeleton

SHORTEST, LONGEST = 3, 20
# Between a guest's name and the suffix that makes its row unique; see `guest_names`.
MARK, LONGEST_MARK = "~", 7
LONGEST_STORED = LONGEST + LONGEST_MARK
SHORTEST_SYLLABIC = 2  # in Han, Kana and Hangul, where two characters are a whole name
LONGEST_KEY = 4 * LONGEST + LONGEST_MARK
# A Hangul syllable becomes seven characters; no letter becomes more.
LONGEST_SKELETON = 8 * LONGEST + LONGEST_MARK
LONGEST_TYPED = 8 * LONGEST  # a letter may be typed with separate marks; a longer text is no name

# Names of bots, which users may not take; names that speak for the site are in reserved.py.
BOTS = frozenset(
    "inti killa chaska waman illa sami wayra urpi crela zigo sulmo fanfo tokka".split()
)
RESERVED_BEGINNINGS = ("admin-", "admin_", "admin.", "bot-", "bot_", "bot.", "deleted-")

# Alphabets whose letters look alike: a name may use only one of them.
LOOK_ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")


# Thai and Lao write AM as one letter; NFKC splits it, and fonts misplace the halves.
_AM = {"\u0e4d\u0e32": "\u0e33", "\u0ecd\u0eb2": "\u0eb3"}
_ONE_APOSTROPHE = str.maketrans(dict.fromkeys(scripts.APOSTROPHES, scripts.APOSTROPHE))


def tidy(name: str) -> str:
    """Return the stored form of a name: no space around it, one encoding for each letter."""
    tidied = _tidy_before(name).translate(_ONE_APOSTROPHE)
    for halves, letter in _AM.items():
        tidied = tidied.replace(halves, letter)
    return tidied


def _tidy_before(name: str) -> str:
    """`tidy` as in versions that did not handle apostrophes and marks."""
    return unicodedata.normalize("NFKC", name).strip()


def key(name: str) -> str:
    """Return the unique key of a name: “Élise” and “élise” are the same name.

    Turkish has two letters i, whose capitals are I and İ. A keyboard that capitalises the first
    letter turns “ışık” into “Işık” and “izmir” into “İzmir”, and Unicode's case folding would make
    them different names. Here all four letters are equal. Joiners are ignored.
    """
    folded = strict_key(scripts.without_joiners(tidy(name)))
    return unicodedata.normalize("NFKC", folded.replace("ı", "i").replace("i\u0307", "i"))


def strict_key(name: str) -> str:
    """Return the key of versions that told Turkish letters, and kinds of apostrophes, apart.

    An older account keeps this key if another account has its `key`; no new name gets it.
    """
    return unicodedata.normalize("NFKC", _tidy_before(name).casefold())


def keys(name: str) -> tuple[str, str]:
    """Return the keys under which an account of this name may be stored, the preferred first."""
    return strict_key(name), key(name)


def skeleton_as_written(name: str) -> str:
    """Return a skeleton that is equal for names that look alike as written: “Ivan” and “lvan”."""
    return skeleton(scripts.without_joiners(tidy(name))).casefold()


def skeleton_folded(name: str) -> str:
    """Return a skeleton that is equal for names that look alike in lower case: “Ivan”, “ivɑn”."""
    return skeleton(key(name)).casefold()


def strict_skeleton_folded(name: str) -> str:
    """`skeleton_folded` as in versions that used `strict_key`."""
    return skeleton(strict_key(name)).casefold()


def skeletons(name: str) -> set[str]:
    """Return both skeletons; two names are confusable if their sets overlap.

    Both are needed, because likeness depends on case (I looks like l, i does not).
    """
    return {skeleton_as_written(name), skeleton_folded(name)}


def of_one_alphabet(name: str) -> bool:
    """Whether a name does not mix alphabets with similar letters, as “аlice” does."""
    spoken = [unicodedata.name(letter, "") for letter in name if letter.isalpha()]
    used = {alphabet for alphabet in LOOK_ALIKE for words in spoken if words.startswith(alphabet)}
    return len(used) <= 1


def well_formed(name: str) -> None:
    """Raise ValidationError with the first rule that this name breaks."""
    name = tidy(name)
    shortest = SHORTEST_SYLLABIC if name and scripts.is_syllabic(name) else SHORTEST
    if scripts.length(name) < shortest or len(name) > LONGEST:
        raise ValidationError(
            _("Names must be %(shortest)d–%(longest)d characters."),
            code="name_length",
            params={"shortest": shortest, "longest": LONGEST},
        )
    if not scripts.is_written(name, between="._-") or not any(map(str.isalnum, name)):
        raise ValidationError(
            _("Use only letters, numbers, dots, hyphens, underscores and apostrophes."),
            code="name_characters",
        )
    if ignorable(scripts.without_joiners(name)):
        raise ValidationError(_("Names can't contain invisible characters."), code="name_invisible")
    if not of_one_alphabet(name):
        raise ValidationError(_("Use letters from one alphabet only."), code="name_alphabets")


def not_reserved(name: str) -> None:
    """Raise ValidationError if a name is reserved, or looks like a reserved name."""
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
    """Return the skeletons of these words in lower case, upper case and title case."""
    written = [way for word in words for way in (word, word.upper(), word.title())]
    return frozenset(look for way in written for look in skeletons(way))


validators = [well_formed, not_reserved]
