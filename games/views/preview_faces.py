"""The faces of winners on the pictures of link previews, dressed with Pillow.

`tools/preview_art.py` draws the layers from the faces that pages show, and writes down the colours
of their ponchos; here they are put together, in any process.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

FACES: Final = "games/preview-faces"  # a folder of static files
_SMOOTH: Final = 3  # circles are drawn so many times larger


def face(folder: str, animal: str, cloth: str, weave: str, size: int) -> Image.Image:
    """A face in its poncho on a round ground with a golden rim, `size` pixels wide."""
    ground, poncho, stitch = _colours(folder)[cloth]
    drawn = Image.open(f"{folder}/{animal}.webp").convert("RGBA")
    cells, wide = Image.open(f"{folder}/{weave}.webp").convert("RGBA"), drawn.width
    drawn.alpha_composite(cells.crop((0, 0, wide, wide)))
    for place, colour in enumerate((poncho, stitch), start=1):
        where = cells.crop((place * wide, 0, (place + 1) * wide, wide)).getchannel("A")
        drawn.paste(Image.new("RGBA", drawn.size, colour), mask=where)
    rim = size // 28
    inner = size - 2 * rim
    shown = Image.new("RGBA", (inner, inner), ground)
    shown.alpha_composite(drawn.resize((inner, inner), Image.Resampling.LANCZOS))
    made = Image.new("RGBA", (size, size), "#ffc94d")
    made.paste(shown, (rim, rim), _circle(inner))
    made.putalpha(_circle(size))
    return made


def _circle(size: int) -> Image.Image:
    large = Image.new("L", (size * _SMOOTH, size * _SMOOTH))
    ImageDraw.Draw(large).ellipse((0, 0, large.width - 1, large.height - 1), fill=255)
    return large.resize((size, size), Image.Resampling.LANCZOS)


@cache
def _colours(folder: str) -> dict[str, list[str]]:
    """By cloth the colours of the ground behind the face, of the poncho and of its thread."""
    found: dict[str, list[str]] = json.loads(Path(folder, "cloths.json").read_text())
    return found
