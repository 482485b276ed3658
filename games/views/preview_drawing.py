"""Drawing of words on a picture with Pillow: plain values in, a PNG out, in any process.

A picture takes some 25 ms of CPU time, and the words come from strangers, so the worker draws it
(see `preview_image`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from games.views import preview_faces

SIZE: Final = (1200, 630)  # pixels, the proportions that all networks show uncut
_INK, _SOFT, _ACCENT = "#2a1e16", "#64503f", "#96291f"
_ON_STAGE: Final = ("#ffc94d", "#fff3dc", "#ecd9b4")  # kicker, title and text by lamplight
_COLOURS: Final = 256  # of a picture of the stage: fewer bytes than with all of them
# The middle between the winners' faces, and the size of one, two or more.
_MIDDLE, _FACE_SIZES = (930, 262), (340, 240, 180)
# The place of the words, left of the picture, in pixels.
_LEFT, _WIDTH = 64, 600
_GAP = 22  # pixels between the parts
# Of kicker, title and text: the sizes to try, and the most lines.
_SIZES: Final = (((38,), 1), ((88, 76, 64, 54, 46, 38), 3), ((40, 34, 28), 4))


def draw(ground: str, face: str, kicker: str, title: str, text: str) -> bytes:
    """Draw these words as a PNG; `ground` and `face` are paths of files."""
    image = opened_ground(ground).copy()
    _write(image, face, (kicker, title, text), (_ACCENT, _INK, _SOFT))
    return _png(image)


def draw_ending(
    ground: str, face: str, words: Sequence[str], folder: str, winners: Sequence[Sequence[str]]
) -> bytes:
    """Draw kicker, title and text of a finished game as a PNG, with the faces of its winners.

    A winner is an animal, a cloth and a weave, drawn from the files in `folder`.
    """
    image = opened_ground(ground).copy()
    size = _FACE_SIZES[min(len(winners), len(_FACE_SIZES)) - 1]
    left = _MIDDLE[0] - (size * len(winners) + 16 * (len(winners) - 1)) // 2
    for number, (animal, cloth, weave) in enumerate(winners):
        shown = preview_faces.face(folder, animal, cloth, weave, size)
        image.paste(shown, (left + number * (size + 16), _MIDDLE[1] - size // 2), shown)
    _write(image, face, words, _ON_STAGE)
    return _png(image.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))


def _write(image: Image.Image, face: str, words: Sequence[str], colours: Sequence[str]) -> None:
    pen = ImageDraw.Draw(image)
    parts = [
        _fitted(part, face, sizes, lines)
        for part, (sizes, lines) in zip(words, _SIZES, strict=True)
    ]
    heights = [len(lines) * _line(font) for font, lines in parts]
    top = (SIZE[1] - sum(heights) - _GAP * (len(parts) - 1)) / 2
    for (font, lines), height, colour in zip(parts, heights, colours, strict=True):
        for number, line in enumerate(lines):
            pen.text((_LEFT, top + number * _line(font)), line, font=font, fill=colour)
        top += height + _GAP


def _png(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _fitted(
    text: str, face: str, sizes: tuple[int, ...], most_lines: int
) -> tuple[ImageFont.FreeTypeFont, list[str]]:
    """The font in the largest of these sizes in which a text fits into `most_lines`, and the lines.

    In the smallest size, long words are broken, and the text is cut off if it still does not fit.
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
    """The words of a text, each broken into pieces that fit into a line."""
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
    """A font face in a size in pixels."""
    return ImageFont.truetype(face, size, layout_engine=ImageFont.Layout.BASIC)


@cache
def opened_ground(path: str) -> Image.Image:
    """The background picture, decoded and cached."""
    return Image.open(path).convert("RGB")
