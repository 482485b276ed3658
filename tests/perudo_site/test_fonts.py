"""The faces: light, complete for our languages, and free to use."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from fontTools.ttLib import TTFont

SITE = Path(__file__).resolve().parents[2] / "perudo_site/static/site"
FACES = ("alegreya-700", "alegreya-sans-500", "alegreya-sans-700")
MOST_BYTES = 36_000  # of all faces together


def test_all_faces_together_are_light() -> None:
    faces = [*SITE.glob("*.woff2")]
    assert {face.stem for face in faces} == set(FACES)
    assert sum(face.stat().st_size for face in faces) <= MOST_BYTES


@pytest.mark.parametrize("family", ["Alegreya", "Alegreya Sans"])
def test_its_licence_lies_beside_it(family: str) -> None:
    licence = (SITE / f"{family.lower().replace(' ', '-')}-license.txt").read_text()
    assert "SIL Open Font License, Version 1.1" in licence
    assert f"The {family} Project Authors" in licence


@pytest.mark.parametrize("name", FACES)
def test_every_letter_of_every_language_is_in_it(name: str) -> None:
    letters: set[str] = set()
    for folder in settings.LOCALE_PATHS:
        for file in Path(folder).glob("*/LC_MESSAGES/*.po"):
            with file.open("rb") as catalogue:
                for message in read_po(catalogue):
                    for words in (message.id, message.string):
                        texts = [words] if isinstance(words, str) else words or ()
                        letters |= set("".join(texts))
    used = {each for each in letters if unicodedata.category(each) in ("Zs", "Sm")}
    used |= {each for each in letters if unicodedata.category(each)[0] in "LNP"}
    assert len(used) > 100
    known = TTFont(SITE / f"{name}.woff2").getBestCmap()
    assert {each for each in used if ord(each) not in known} == set()


@pytest.mark.parametrize("name", FACES)
def test_its_digits_have_one_height_and_width(name: str) -> None:
    font = TTFont(SITE / f"{name}.woff2")
    glyphs = [font.getBestCmap()[ord(digit)] for digit in "0123456789"]
    assert len({font["hmtx"][glyph][0] for glyph in glyphs}) == 1
    heights = [font["glyf"][glyph].yMax for glyph in glyphs]
    assert max(heights) - min(heights) < 0.05 * font["head"].unitsPerEm
