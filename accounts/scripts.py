"""Rules for names in the scripts of the world: which marks may follow which letters, and where.

They follow UAX #31 (https://www.unicode.org/reports/tr31/), with added limits that keep stacked
marks from covering the lines around them.
"""

from __future__ import annotations

import unicodedata
from typing import Final

APOSTROPHE: Final = "'"
# Variants that keyboards and word processors insert, and a letter that looks the same.
APOSTROPHES: Final = "\u2018\u2019\u201b\u02bc\u05f3"
# Separates the syllables of a Tibetan word.
TSHEG: Final = "\u0f0b"
ZWNJ, ZWJ = "\u200c", "\u200d"
JOINERS: Final = ZWNJ + ZWJ

# Limit of marks per letter; a few scripts write vowels with several signs, or stack consonants.
MOST_MARKS: Final = 2
MORE_MARKS: Final = {"MYANMAR": 4, "TIBETAN": 4, "KHMER": 3, "LAO": 3}
# Accents for letters that have no precomposed form with them, as in Yoruba (UTS #39: recommended).
OF_SEVERAL: Final = frozenset(
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u030f\u0311\u031b"
    "\u0323\u0324\u0325\u0327\u0328\u032d\u032e\u0330\u0331"
)
_NUKTA, _VIRAMA = 7, 9  # Canonical_Combining_Class
_DOTS_OF_SHIN = "\u05c1\u05c2"
# Scripts whose letters join by themselves; a ZWNJ keeps two of them apart.
_CURSIVE = ("ARABIC", "SYRIAC")
# Scripts in which a character is a syllable or a word, so that two make a name.
_WHOLE_SYLLABLES = ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "HANGUL SYLLABLE")


def script(character: str) -> str:
    """Return the first word of a character's Unicode name: LATIN, THAI; "" if it has no name."""
    return unicodedata.name(character, "").partition(" ")[0]


def is_mark(character: str) -> bool:
    """Whether a character combines with the letter before it: a vowel sign, a tone, an accent."""
    return unicodedata.category(character) in ("Mn", "Mc")


def is_syllabic(text: str) -> bool:
    """Whether every character is Han, Kana or Hangul."""
    return all(unicodedata.name(each, "").startswith(_WHOLE_SYLLABLES) for each in text)


def length(text: str) -> int:
    """Count characters as a reader would, without separate accents and joiners."""
    return sum(each not in OF_SEVERAL for each in without_joiners(text))


def without_joiners(text: str) -> str:
    """Remove the characters that only join letters or keep them apart."""
    return text.replace(ZWNJ, "").replace(ZWJ, "")


def is_written(name: str, *, between: str) -> bool:
    """Whether every mark, joiner and apostrophe of a tidied name is in a valid place.

    All other characters must be letters, numbers, or in `between`.
    """
    around = ["", *name, ""]
    for before, this, after in zip(around, name, around[2:], strict=False):
        if this in JOINERS:
            if not _joins(before, this, after):
                return False
        elif this in (APOSTROPHE, TSHEG):
            within = (before.isalpha() or (before and is_mark(before))) and after.isalpha()
            if not within or (this == TSHEG and not script(before) == script(after) == "TIBETAN"):
                return False
        elif not (this.isalnum() or this in between or is_mark(this)):
            return False
    return _marks_fit(without_joiners(name))


def _joins(before: str, joiner: str, after: str) -> bool:
    """Whether a joiner is valid (UAX #31, 2.3): between cursive letters, or at an Indic virama."""
    if not before:
        return False
    same = bool(after) and script(before) == script(after)
    if unicodedata.combining(before) == _VIRAMA:
        # A ZWJ at the end makes a Malayalam chillu, as typed before chillus had code points.
        return (same and after.isalpha()) or (joiner == ZWJ and after == "")
    if joiner == ZWJ:  # as in the Bengali and Kannada R that keeps its form
        return same and before.isalpha() and unicodedata.combining(after) == _VIRAMA
    letters = before.isalpha() or is_mark(before)
    return same and letters and after.isalpha() and script(before) in _CURSIVE


def _marks_fit(text: str) -> bool:
    """Whether each mark is on a letter of its script, and no letter has too many or one twice."""
    letter, marks = "", ""
    for this in text:
        if not is_mark(this):
            letter, marks = this, ""
            continue
        own = script(letter) if letter.isalpha() else ""
        accent = this in OF_SEVERAL and own in ("LATIN", "CYRILLIC", "GREEK")
        if not own or this in marks or not (accent or script(this) == own):
            return False
        marks += this
        counted = sum(not _makes_another_letter(each) for each in marks)
        if accent:  # count also the accents in a precomposed letter
            counted += len(unicodedata.normalize("NFD", letter)) - 1
        if counted > MORE_MARKS.get(own, MOST_MARKS):
            return False
    return True


def _makes_another_letter(mark: str) -> bool:
    """Whether a mark makes another letter of its letter: a nukta, or a dot of Shin."""
    return unicodedata.combining(mark) == _NUKTA or mark in _DOTS_OF_SHIN
