"""The words in links that people keep: pronounceable, and not to be guessed."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from django.db import IntegrityError, transaction

from games.errors import Refused

# Letters that sound alike in our four languages, and are not mistaken for one another when read
# aloud.
_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = 4  # in each half
_ATTEMPTS: Final = 10  # to draw a word that nobody has; the first one nearly always is
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


def give_word(store: Callable[[str], bool]) -> None:
    """Draw words until `store` has stored one. It returns False for one that may not be given; a
    unique column says which are another's. Refused: `site_busy`.
    """
    for _attempt in range(_ATTEMPTS):
        with suppress(IntegrityError), transaction.atomic():
            if store(new_word()):
                return
    raise Refused("site_busy")


def is_word(text: str) -> bool:
    """Whether a link may have this word; no other needs to be looked up."""
    return _FORM.fullmatch(text) is not None


def _syllable(_place: int) -> str:
    return secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS)
