"""The words in the links of standing tables: pronounceable, and not to be guessed."""

from __future__ import annotations

import re
import secrets
from typing import Final

# Letters that sound alike in our four languages, and are not mistaken for one another when read
# aloud.
_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = 4  # in each half
_FORM: Final = re.compile(
    rf"(?:[{_CONSONANTS}][{_VOWELS}]){{4}}-(?:[{_CONSONANTS}][{_VOWELS}]){{4}}"
)

# Found by chance in one word of some hundreds; nobody should have to send them to friends.
_UNWANTED: Final = re.compile(
    "kaka|puta|puto|kulo|pene|pipi|zizi|seno|tete|niga|nigu|nege|nazi|gulag|figa|fika|fode|foda|"
    "bite|pede|sado|muri|mori|dumo|rape|fago|fagu|lolita|tonto|putu|sida|gado"
)


def new_word() -> str:
    """A word such as `bodikamu-renalofi`: eight syllables of seventy, drawn by `secrets`.

    49 bits, as many as the code of a table has: with the 900 tries a minute that one address has
    (GETS_PER_ADDRESS), it takes some twelve years to find one of a hundred thousand tables.
    """
    while True:
        word = "-".join("".join(map(_syllable, range(_SYLLABLES))) for _half in range(2))
        if not _UNWANTED.search(word.replace("-", "")):
            return word


def is_word(text: str) -> bool:
    """Whether a link may have this word; no other needs to be looked up."""
    return _FORM.fullmatch(text) is not None


def _syllable(_place: int) -> str:
    return secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS)
