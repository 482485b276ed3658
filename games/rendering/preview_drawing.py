"""Draws words on a picture with Pillow: plain values in, a PNG out, in any process.

A picture takes some 25 ms of a processor, and what is drawn are words of strangers; so the worker
does it (see `preview_image`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

SIZE: Final = (1200, 630)  # pixels, the proportions that all networks show uncut
_INK, _SOFT, _ACCENT = "#2a1e16", "#64503f", "#96291f"
# Where the words stand, left of the picture, in pixels.
_LEFT, _WIDTH = 64, 600
_GAP = 22  # between the parts


def draw(ground: str, face: str, kicker: str, title: str, text: str) -> bytes:
    """The PNG of these words; `ground` and `face` are paths of files."""
    image = opened_ground(ground).copy()
    pen = ImageDraw.Draw(image)
    parts = [
        _fitted(words, face, sizes, lines)
        for words, sizes, lines in (
            (kicker, (38,), 1),
            (title, (88, 76, 64, 54, 46, 38), 3),
            (text, (40, 34, 28), 4),
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
    return file.getvalue()


def _fitted(
    text: str, face: str, sizes: tuple[int, ...], most_lines: int
) -> tuple[ImageFont.FreeTypeFont, list[str]]:
    """The largest of these sizes in which a text takes so many lines at most, and the lines.

    In the smallest size long words are broken, and what does not fit is left out.
    """
    for size in sizes:
        font = font_of(face, size)
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
def font_of(face: str, size: int) -> ImageFont.FreeTypeFont:
    """A face in a size of so many pixels."""
    return ImageFont.truetype(face, size, layout_engine=ImageFont.Layout.BASIC)


@cache
def opened_ground(path: str) -> Image.Image:
    """The picture behind the words."""
    return Image.open(path).convert("RGB")
