"""Sprites of faces: what is drawn in one, and what a table needs of each face."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from django.contrib.staticfiles import finders

PARTS = ("", "-calm", "-sure", "-caught", "-blink")


class Sprite:
    """A static SVG file of symbols."""

    def __init__(self, name: str) -> None:
        found = finders.find(name)
        assert isinstance(found, str)
        self.text = Path(found).read_text(encoding="utf-8")
        drawn = re.findall(r'<symbol id="([\w-]+)" viewBox="([^"]+)">(.*?)</symbol>', self.text)
        self.drawings = {name: inside for name, _, inside in drawn}
        self.boxes = {name: box for name, box, _ in drawn}

    @property
    def packed(self) -> int:
        """Its size in bytes when it is sent."""
        return len(gzip.compress(self.text.encode(), 9, mtime=0))

    def is_whole(self) -> bool:
        """Whether every part that is used is drawn once, and every part that is drawn is used."""
        drawn = re.findall(r'id="([\w-]+)"', self.text)
        shared = set(drawn) - set(self.drawings)
        used = set(re.findall(r'href="#([\w-]+)"', self.text))
        return len(drawn) == len(set(drawn)) and used == shared


def parts(faces: Iterable[str]) -> set[str]:
    """The symbols of faces with every expression."""
    return {f"{face}{part}" for face in faces for part in PARTS}


def has_expressions(sprite: Sprite, face: str) -> bool:
    """Whether the parts of a face lie on each other, and no two are the same."""
    names = sorted(parts([face]))
    boxes = {sprite.boxes[each] for each in names}
    drawn = sorted(sprite.drawings[each] for each in names)
    return len(boxes) == 1 and all(one != other for one, other in pairwise(drawn))
