"""The pictures of link previews: words on a background made by `tools/preview_art.py`.

The worker draws them (`preview_drawing`) in the display font of the pages; the latest are cached in
memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders

from games.play import worker
from games.store.versioned_lru import VersionedLRU
from games.views import preview_drawing
from games.views.preview_drawing import SIZE
from games.views.preview_faces import FACES

__all__ = ["SIZE", "SITE_GROUND", "Picture", "can_write", "draw", "drawn"]

SITE_GROUND: Final = "games/preview.png"
_FACE: Final = "site/alegreya-700.woff2"

# At most some 5 MB.
_drawn: VersionedLRU[bytes] = VersionedLRU(most=100, name="link previews")


@dataclass(frozen=True, slots=True)
class Picture:
    """The content of a picture, and its key in the cache."""

    ground: str  # a static file
    kicker: str  # a small line above the title, or ""
    title: str
    text: str
    winners: tuple[tuple[str, str, str], ...] = ()  # of a finished game: animal, cloth and weave


def drawn(picture: Picture) -> bytes | None:
    """The cached PNG of a picture; None if it has to be drawn."""
    kept = _drawn.get(picture)
    return None if kept is None else kept[1]


def draw(picture: Picture) -> bytes:
    """Have the worker draw a picture, wait, and cache it. Raises worker.Busy or worker.Failed."""
    ground, face = _path(picture.ground), _path(_FACE)
    words = (picture.kicker, picture.title, picture.text)
    if picture.winners:
        folder = str(Path(_path(f"{FACES}/cloths.json")).parent)
        asked = worker.ask(
            preview_drawing.draw_ending, ground, face, words, folder, picture.winners
        )
    else:
        asked = worker.ask(preview_drawing.draw, ground, face, *words)
    png: bytes = asked.result()
    _drawn.keep(picture, 0, png)
    return png


@lru_cache(maxsize=1000)
def can_write(text: str) -> bool:
    """Whether the font has a glyph for every letter of a text."""
    font = preview_drawing.font_of(_path(_FACE), 20)
    missing = bytes(font.getmask("\uffff"))
    return all(letter.isspace() or bytes(font.getmask(letter)) != missing for letter in text)


@cache
def _path(static_name: str) -> str:
    path = finders.find(static_name)
    if path is None:
        raise FileNotFoundError(static_name)
    return str(path)
