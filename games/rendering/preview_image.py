"""The pictures of link previews: words on a ground that `tools/preview_art.py` has made.

The worker draws them (`preview_drawing`), with the display face of the pages; the latest are kept
in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from django.contrib.staticfiles import finders

from games.play import worker
from games.rendering import preview_drawing
from games.rendering.preview_drawing import SIZE
from games.store.versioned_lru import VersionedLRU

__all__ = ["SIZE", "SITE_GROUND", "Picture", "can_write", "draw", "drawn"]

SITE_GROUND: Final = "games/preview.png"
_FACE: Final = "site/alegreya-700.woff2"

# At most some 5 MB.
_drawn: VersionedLRU[bytes] = VersionedLRU(most=100, name="link previews")


@dataclass(frozen=True, slots=True)
class Picture:
    """What is on a picture: nothing else makes one differ from another."""

    ground: str  # a static file
    kicker: str  # a small line above the title, or ""
    title: str
    text: str


def drawn(picture: Picture) -> bytes | None:
    """The PNG of a picture that is still kept; None if it has to be drawn."""
    kept = _drawn.get(picture)
    return None if kept is None else kept[1]


def draw(picture: Picture) -> bytes:
    """Have a picture drawn, wait for it, and keep it. Raises worker.Busy or worker.Failed."""
    ground, face = _path(picture.ground), _path(_FACE)
    words = (picture.kicker, picture.title, picture.text)
    png: bytes = worker.ask(preview_drawing.draw, ground, face, *words).result()
    _drawn.keep(picture, 0, png)
    return png


@lru_cache(maxsize=1000)
def can_write(text: str) -> bool:
    """Whether the face has every letter of a text."""
    font = preview_drawing.font_of(_path(_FACE), 20)
    missing = bytes(font.getmask("\uffff"))
    return all(letter.isspace() or bytes(font.getmask(letter)) != missing for letter in text)


@cache
def _path(static_name: str) -> str:
    path = finders.find(static_name)
    if path is None:
        raise FileNotFoundError(static_name)
    return str(path)
