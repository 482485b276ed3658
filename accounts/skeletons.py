"""UTS 39 skeletons: names that look alike have the same skeleton.

The data is in confusables.txt beside this file; `manage.py read_confusables` writes it.
https://www.unicode.org/reports/tr39/#Confusable_Detection
"""

from __future__ import annotations

import string
import unicodedata
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("confusables.txt")


def ignorable(text: str) -> bool:
    """Whether a text has an invisible character (Default_Ignorable_Code_Point)."""
    return not _data()[0].isdisjoint(map(ord, text))


def skeleton(text: str) -> str:
    """Return the skeleton of a text, for comparison only; it is never displayed."""
    letters = unicodedata.normalize("NFD", text).translate(_small_capitals())
    return unicodedata.normalize("NFD", letters.translate(_data()[1]))


@cache
def _data() -> tuple[frozenset[int], dict[int, str]]:
    """Return the ignorable characters, and the prototype of every confusable character."""
    lines = [line for line in FILE.read_text().splitlines() if not line.startswith("#")]
    prototypes = {}
    for line in lines[1:]:
        looks, sources = line.split("\t")
        prototype = _text(looks)
        prototypes.update(dict.fromkeys((int(code, 16) for code in sources.split()), prototype))
    ignored = frozenset(code for codes in lines[0].split() for code in _range(codes))
    return ignored, prototypes


@cache
def _small_capitals() -> dict[int, str]:
    """Map small capitals such as “ᴀ” to letters; Unicode's table lacks most of them."""
    found = {}
    for letter in string.ascii_uppercase:
        try:
            small = unicodedata.lookup(f"LATIN LETTER SMALL CAPITAL {letter}")
        except KeyError:
            continue  # there is no small capital X
        found[ord(small)] = letter.lower()
    return found


def _text(codes: str) -> str:
    return "".join(chr(int(code, 16)) for code in codes.split())


def _range(codes: str) -> range:
    first, _, last = codes.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)
