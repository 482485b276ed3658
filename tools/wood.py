"""Computes the wood of the table and the weave of the wall: `.venv/bin/python -m tools.wood`.

The top of a table of planks under one lamp, as it looks from a chair: the far planks are narrower.
The same file comes out every time. Style sheets stretch the picture over the box of an ellipse and
draw the rim. Everything is in units of half the height of the picture; (0, 0) is its middle.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Field = NDArray[np.float32]

SITE = Path(__file__).resolve().parent.parent / "perudo_site/static/site"
# From the dark of the edge to the middle of the lamp's pool.
SHADES = ("#1a0d07", "#38200f", "#5f3a1f", "#8d5a30", "#c98f52", "#e6b678", "#f4d09a")
SEED = 8


@dataclass(frozen=True)
class Top:
    """A picture of the table: its file, its size, how WebP may lose and how wide planks are."""

    name: str
    width: int
    height: int
    quality: int
    plank: float
    most_bytes: int


TOPS = (
    Top("wood-phone.webp", 560, 600, 62, 0.3, 20_000),
    Top("wood-desk.webp", 1300, 860, 55, 0.27, 35_000),
)


def main(to: Path) -> None:
    for top in TOPS:
        file = to / top.name
        save(top, file)
        print(f"{file.name}: {file.stat().st_size} bytes")


def save(top: Top, to: Path | BytesIO) -> None:
    draw(top).save(to, "WEBP", quality=top.quality, method=6, use_sharp_yuv=True)


def draw(top: Top) -> Image.Image:
    """The picture before WebP loses some of it."""
    chance = np.random.default_rng(SEED)
    aspect = top.width / top.height
    x, y = np.meshgrid(
        np.linspace(-aspect, aspect, top.width, dtype=np.float32),
        np.linspace(-1, 1, top.height, dtype=np.float32),
    )
    wood, hue = _planks(chance, x, y, top)
    bright = wood * _lamp(x, y, aspect) * _wear(chance, x, y, aspect)
    # Nobody sees the corners outside the ellipse: dark and even, they cost nothing.
    seen = np.clip((1.05 - np.hypot(x / aspect, y)) / 0.04, 0, 1)
    colours = _shaded(0.2 + (bright - 0.2) * seen, hue * seen)
    colours += chance.triangular(-1, 0, 1, colours.shape).astype(np.float32)  # against bands
    return Image.fromarray(np.clip(colours + 0.5, 0, 255).astype(np.uint8), "RGB")


def _planks(chance: np.random.Generator, x: Field, y: Field, top: Top) -> tuple[Field, Field]:
    """How bright the wood is of itself, and how red (above 0) or yellow it is."""
    u, v = x * (1 - 0.08 * y), y - 0.12 * y * y  # seen from the near edge
    wood, hue = np.ones_like(x), np.zeros_like(x)
    edge = float(v.min()) - top.plank * chance.uniform(0.2, 0.7)
    while edge < v.max():
        wide = top.plank * float(chance.uniform(0.82, 1.2))
        rows = np.flatnonzero((v[:, 0] >= edge - 0.01) & (v[:, 0] < edge + wide + 0.01))
        if len(rows):
            part = slice(rows[0], rows[-1] + 1)
            across = v[part] - edge
            grain = _grain(chance, u[part], across, wide)
            pixel = 2 / top.height
            near = np.minimum(across, wide - across)  # to the nearest joint
            inside = (across >= 0) & (across < wide)
            worn = _noise(chance, (1, 9), u[part] / 4 + 0.5, across * 0)
            gap = np.clip(1 - near / (pixel * (1.1 + 0.7 * worn)), 0, 1)
            bevel = np.exp(-near / (0.016 + 0.006 * worn))
            lit = np.exp(-(((across - 0.011) / 0.006) ** 2))  # the edge that faces the lamp
            tone = grain * chance.uniform(0.84, 1.12) * (1 - 0.16 * bevel + 0.1 * lit)
            tone *= 1 - 0.62 * gap
            wood[part] = np.where(inside, tone, wood[part])
            hue[part] = np.where(inside, np.float32(chance.uniform(-0.6, 1)), hue[part])
        edge += wide
    return wood, hue


def _grain(chance: np.random.Generator, u: Field, across: Field, wide: float) -> Field:
    """A board out of a log along u: rings around the heart, pushed aside by branches."""
    heart = wide * chance.uniform(-0.9, 1.9)
    deep = chance.uniform(0.09, 0.2) + chance.uniform(0.045, 0.1) * chance.choice((-1, 1)) * u
    bend = 0.075 * _noise(chance, (1, 3), u / 4 + 0.5, across / wide)
    bend += 0.008 * _noise(chance, (2, 15), u / 4 + 0.5, across / wide)
    beside = across - heart + bend
    far = np.hypot(beside, deep)
    steep = np.minimum(np.abs(beside) / far * 1.6, 1)
    knots = np.ones_like(u)
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        at, side = chance.uniform(-1.3, 1.3), wide * chance.uniform(0.25, 0.75)
        push, knot = _branch(chance, u - at, across - side)
        far += push * np.sign(heart - side)
        knots *= knot
    many = chance.uniform(36, 54)
    phase = far * many
    ring, part = np.floor(phase), phase - np.floor(phase)
    strength = chance.uniform(0.15, 1, 256)[ring.astype(int) % 256]
    late = part**2.4 * np.clip((1 - part) / 0.15, 0, 1) * strength
    # Fibres and pores follow the rings, but are not the same on both sides of the heart.
    along = (far + np.where(beside > 0, 0.37, 0)) % 1
    fibre = _noise(chance, (150, 14), u / 4 + 0.5, along)
    fine = _noise(chance, (420, 50), u / 4 + 0.5, along)
    pores = np.clip(_noise(chance, (330, 90), u / 4 + 0.5, along) * 2 - 0.9, 0, 1)
    cloud = _noise(chance, (3, 9), u / 4 + 0.5, across / wide)
    fibres = 0.08 * fibre + 0.05 * fine - 0.18 * pores
    return (1 - 0.34 * late + steep * fibres + 0.06 * cloud) * knots


def _branch(chance: np.random.Generator, u: Field, across: Field) -> tuple[Field, Field]:
    """How far the rings of the trunk give way to a knot at (0, 0), and how bright that is."""
    size = chance.uniform(0.018, 0.036)
    ripple = 1 + 0.22 * _noise(chance, (5, 5), u * 3 + 0.5, across * 3 + 0.5)
    away = np.hypot(u / 1.5, across) * ripple / size
    push = size * 1.7 * np.exp(-((away / 2.6) ** 2)) * np.tanh(across / size * 3)
    inner = np.hypot(u / 1.5 / size + 0.18, across / size - 0.12) * ripple
    heart = 0.56 + 0.05 * np.cos(inner * 11) - 0.16 * np.exp(-((inner / 0.35) ** 2))
    bark = 1 - 0.3 * np.exp(-(((away - 1) / 0.2) ** 2)) * np.clip(ripple, 0.6, 1)
    inside = np.clip((1.05 - away) / 0.25, 0, 1)
    halo = 1 - 0.2 * np.exp(-((away / 2.1) ** 2))
    return push, (inside * heart + (1 - inside) * halo) * bark


def _wear(chance: np.random.Generator, x: Field, y: Field, aspect: float) -> Field:
    """Where cups have slid for years, and what wet ones have left."""
    far = np.hypot(x / aspect, y)
    patches = _noise(chance, (46, 5), x / 4 + 0.5, y / 2 + 0.5)
    patches += _noise(chance, (5, 4), x / 4 + 0.5, y / 2 + 0.5)
    away = (far - 0.66 + 0.022 * patches) / 0.07
    wear = 1 + (0.11 + 0.04 * patches) * np.exp(-(away**4))
    for at, side, size, strong in ((-0.36, 0.3, 0.12, 0.2), (0.2, 0.52, 0.11, 0.14)):
        away = np.hypot(x - at * aspect, (y - side) * 1.08) / size
        torn = np.clip(0.5 + 0.9 * _noise(chance, (5, 5), x * 1.3 + 0.5, y * 1.3 + 0.5), 0, 1)
        wear -= strong * torn * np.exp(-(((away - 1) / 0.06) ** 2))
        wear -= 0.15 * strong * (away < 1)
    return wear


def _lamp(x: Field, y: Field, aspect: float) -> Field:
    """The light of a lamp that hangs a little beyond the middle."""
    away = np.hypot(x / aspect, (y + 0.16) / 1.04)
    pool = np.exp(-((away / 0.62) ** 2))
    edge = np.clip((np.hypot(x / aspect, y) - 0.7) / 0.32, 0, 1)
    return (0.54 + 0.5 * pool) * (1 - 0.5 * edge**1.4)


def _shaded(bright: Field, hue: Field) -> Field:
    """Red, green and blue from the shades of the wood."""
    shades = np.array([[int(s[i : i + 2], 16) for i in (1, 3, 5)] for s in SHADES], np.float32)
    steps = np.array((0, 0.18, 0.36, 0.56, 0.77, 0.96, 1.15))
    colours = np.stack([np.interp(bright, steps, shades[:, i]) for i in range(3)], -1)
    warm = np.stack([1 + 0.03 * hue, 1 - 0.02 * hue, 1 - 0.11 * hue], -1)
    return (colours * warm).astype(np.float32)


def _noise(chance: np.random.Generator, cells: tuple[int, int], u: Field, v: Field) -> Field:
    """Smooth chance from -1 to 1, in so many cells down and across where u and v go from 0 to 1."""
    down, along = cells
    grid = chance.uniform(-1, 1, (down + 1, along + 1)).astype(np.float32)
    a, b = u % 1 * along, v % 1 * down
    left, above = a.astype(int), b.astype(int)
    a, b = a - left, b - above
    a, b = a * a * (3 - 2 * a), b * b * (3 - 2 * b)
    right, below = left + 1, above + 1
    over = grid[above, left] * (1 - a) + grid[above, right] * a
    under = grid[below, left] * (1 - a) + grid[below, right] * a
    return (over * (1 - b) + under * b).astype(np.float32)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=SITE)
    main(**vars(parser.parse_args()))
