"""The display face: light, complete for our languages, and free to use."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from babel.messages.pofile import read_po
from django.conf import settings
from fontTools.ttLib import TTFont

SITE = Path(__file__).resolve().parents[2] / "perudo_site/static/site"
FACE = SITE / "alegreya-700.woff2"
MOST_BYTES = 45_000  # of all faces together


def test_all_faces_together_are_light() -> None:
    faces = [*SITE.glob("*.woff2")]
    assert FACE in faces
    assert sum(face.stat().st_size for face in faces) <= MOST_BYTES


def test_its_licence_lies_beside_it() -> None:
    licence = (SITE / "alegreya-license.txt").read_text()
    assert "SIL Open Font License, Version 1.1" in licence
    assert "Alegreya" in licence


def test_every_letter_of_every_language_is_in_it() -> None:
    letters: set[str] = set()
    for folder in settings.LOCALE_PATHS:
        for file in Path(folder).glob("*/LC_MESSAGES/*.po"):
            with file.open("rb") as catalogue:
                for message in read_po(catalogue):
                    for words in (message.id, message.string):
                        texts = [words] if isinstance(words, str) else words or ()
                        letters |= set("".join(texts))
    used = {each for each in letters if unicodedata.category(each)[0] in "LNP"}
    assert len(used) > 100
    known = TTFont(FACE).getBestCmap()
    assert {each for each in used if ord(each) not in known} == set()
