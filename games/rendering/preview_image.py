"""Draws the pictures of link previews: words on a ground that `docs/preview_art.py` has made.

Pillow writes them with the display face of the pages. A picture takes a tenth of a second;
the latest are kept in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from typing import Final

from django.contrib.staticfiles import finders
from PIL import Image, ImageDraw, ImageFont

from games.store.versioned_lru import VersionedLRU

SIZE: Final = (1200, 630)  # pixels, the proportions that all networks show uncut
SITE_GROUND: Final = "games/preview.png"
_FACE: Final = "site/alegreya-700.woff2"
_INK, _SOFT, _ACCENT = "#2a1e16", "#64503f", "#96291f"
# Where the words stand, left of the picture, in pixels.
_LEFT, _WIDTH = 64, 600
_GAP = 22  # between the parts

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
    """Draw a picture and keep it."""
    image = _ground(picture.ground).copy()
    pen = ImageDraw.Draw(image)
    parts = [
        _fitted(text, sizes, lines)
        for text, sizes, lines in (
            (picture.kicker, (38,), 1),
            (picture.title, (88, 76, 64, 54, 46, 38), 3),
            (picture.text, (40, 34, 28), 4),
        )
    ]
    heights = [len(lines) * _line(font) for font, lines in parts]
    top = (SIZE[1] - sum(heights) - _GAP * (len(parts) - 1)) / 2
    for (font, lines), height, colour in zip(parts, heights, (_ACCENT, _INK, _SOFT), strict=True):
        for number, line in enumerate(lines):
            pen.text((_LEFT, top + number * _line(font)), line, font=font, fill=colour)
        top += height + _GAP
    file = BytesIO()
    image.save(file, "PNG")
    png = file.getvalue()
    _drawn.keep(picture, 0, png)
    return png


@lru_cache(maxsize=1000)
def can_write(text: str) -> bool:
    """Whether the face has every letter of a text."""
    font = _font(20)
    missing = bytes(font.getmask("\uffff"))
    return all(letter.isspace() or bytes(font.getmask(letter)) != missing for letter in text)


def _fitted(
    text: str, sizes: tuple[int, ...], most_lines: int
) -> tuple[ImageFont.FreeTypeFont, list[str]]:
    """The largest of these sizes in which a text takes so many lines at most, and the lines.

    In the smallest size long words are broken, and what does not fit is left out.
    """
    for size in sizes:
        font = _font(size)
        lines = _wrapped(text, font)
        if len(lines) <= most_lines and all(font.getlength(line) <= _WIDTH for line in lines):
            return font, lines
    return font, _wrapped(" ".join(_broken(text, font)), font)[:most_lines]


def _wrapped(text: str, font: ImageFont.FreeTypeFont) -> list[str]:
    lines: list[str] = []
    for word in text.split(" ") if text else ():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= _WIDTH:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _broken(text: str, font: ImageFont.FreeTypeFont) -> Iterator[str]:
    """The words of a text, each in pieces that fit in a line."""
    for word in text.split(" "):
        piece = ""
        for letter in word:
            if font.getlength(piece + letter) > _WIDTH:
                yield piece
                piece = ""
            piece += letter
        yield piece


def _line(font: ImageFont.FreeTypeFont) -> int:
    """The height of a line in pixels."""
    return round(font.size * 1.15)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_path(_FACE), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _ground(name: str) -> Image.Image:
    return Image.open(_path(name)).convert("RGB")


def _path(static_name: str) -> str:
    path = finders.find(static_name)
    if path is None:
        raise FileNotFoundError(static_name)
    return str(path)
