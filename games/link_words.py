"""Words for permanent links: pronounceable and unguessable."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from django.db import IntegrityError, transaction

from games.errors import Refused

# Letters that sound the same in our four languages and are not confused when read aloud.
_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = 4  # in each half
_ATTEMPTS: Final = 10  # to draw a free word; the first one nearly always is
_FORM: Final = re.compile(
    rf"(?:[{_CONSONANTS}][{_VOWELS}]){{4}}-(?:[{_CONSONANTS}][{_VOWELS}]){{4}}"
)

# Random words contain one of these once in some hundreds; people should not have to share them.
_UNWANTED: Final = re.compile(
    "kaka|puta|puto|kulo|pene|pipi|zizi|seno|tete|niga|nigu|nege|nazi|gulag|figa|fika|fode|foda|"
    "bite|pede|sado|muri|mori|dumo|rape|fago|fagu|lolita|tonto|putu|sida|gado"
)


def new_word() -> str:
    """Generate a word such as `bodikamu-renalofi`: eight syllables of seventy, from `secrets`.

    It has 49 bits, as the code of a table. With the 900 tries per minute that are allowed per
    address (GETS_PER_ADDRESS), it takes about twelve years to find one of 100,000 tables.
    """
    while True:
        word = "-".join("".join(map(_syllable, range(_SYLLABLES))) for _half in range(2))
        if not _UNWANTED.search(word.replace("-", "")):
            return word


def give_word(store: Callable[[str], bool]) -> None:
    """Draw words until `store` has stored one.

    `store` returns False for a word that may not be used; a unique column rejects duplicates.
    Raises Refused: `site_busy`.
    """
    for _attempt in range(_ATTEMPTS):
        with suppress(IntegrityError), transaction.atomic():
            if store(new_word()):
                return
    raise Refused("site_busy")


def is_word(text: str) -> bool:
    """Whether a text has the form of a link word; other texts need no lookup."""
    return _FORM.fullmatch(text) is not None


def _syllable(_place: int) -> str:
    return secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS)
