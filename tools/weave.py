"""Weaves the cloth on the wall behind the table: `.venv/bin/python -m tools.weave`.

Bands of figures and stripes in dark wool, a pixel a stitch. A style sheet shows it twice as large,
with `background-size: 486px` and `image-rendering: pixelated`. The tile continues on every side and
no band of figures repeats before its end. The same file comes out every time.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SITE = Path(__file__).resolve().parent.parent / "perudo_site/static/site"
NAME = "weave.webp"
WIDTH = 243  # stitches
MOST_BYTES = 4_000
SEED = 4

Cloth = NDArray[np.uint8]  # an index of WOOL for each stitch

# Red, wine, ochre, bone, indigo, moss: as dark as a wall that the lamp does not reach.
WOOL = ("#451f19", "#391916", "#57371b", "#593b30", "#33232a", "#383123")
RED, WINE, OCHRE, BONE, INDIGO, MOSS = range(6)

# Letters are the wools of a figure, from the outside in.
FIGURES = {
    "llama": """
        .........a.a.
        .........aaa.
        .........abaa
        .........aaaa
        .a.......aa..
        .aaaaaaaaaa..
        ..aaabbaaaa..
        ..aabccbaaa..
        ..aaabbaaa...
        ..a.a..a.a...
        ..a.a..a.a...""",
    "cross": """
        ....aaa....
        ....aba....
        ..aaabaaa..
        ..abbbbba..
        aaabbcbbaaa
        abbbcccbbba
        aaabbcbbaaa
        ..abbbbba..
        ..aaabaaa..
        ....aba....
        ....aaa....""",
    "eye": """
        ......a......
        .....aaa.....
        ....aabaa....
        ...aabbbaa...
        ..aabbcbbaa..
        .aabbcccbbaa.
        ..aabbcbbaa..
        ...aabbbaa...
        ....aabaa....
        .....aaa.....
        ......a......""",
    "toucan": """
        ...aaaa......
        ..aabaaccc...
        ..aaaaaccccc.
        ..aaaaa...cc.
        ..aaaaa......
        .aabbaaa.....
        .aabbbaa.....
        .aabbbba.....
        ..aabbaa.....
        ...aaaa......
        ..aa.aa......""",
    "steps": """
        aaaaaaaaaaa
        a.........a
        a.bbbbbbb.a
        a.b.....b.a
        a.b.ccc.b.a
        a.b...c.b.a
        a.bbb.c.b.a
        a.....c.b.a
        aaaaaac.b.a
        ........b.a
        bbbbbbbbb.a""",
    "bird": """
        .a.........a.
        .aa.......aa.
        .aaa.aba.aaa.
        ..aaaabaaaa..
        ...aabbbaa...
        ....abcba....
        ....abcba....
        ...aabbbaa...
        ..aa.aba.aa..
        .....aaa.....
        ....a.a.a....""",
}
TRIPLES = (
    (OCHRE, WINE, BONE),
    (BONE, INDIGO, OCHRE),
    (MOSS, WINE, OCHRE),
    (BONE, WINE, OCHRE),
    (INDIGO, OCHRE, BONE),
    (OCHRE, MOSS, BONE),
)


def main(to: Path) -> None:
    file = to / NAME
    draw().save(file, lossless=True, quality=100, method=6)
    print(f"{file.name}: {file.stat().st_size} bytes")


def draw() -> Image.Image:
    chance = np.random.default_rng(SEED)
    bands = [
        _stripes(OCHRE, WINE, WINE, OCHRE),
        _figures(chance, RED, "cross", "llama", "eye"),
        _stripes(OCHRE, WINE, BONE, WINE, OCHRE),
        _zigzag(chance, WINE),
        _stripes(MOSS, RED, RED, OCHRE),
        _figures(chance, WINE, "bird", "steps", "toucan"),
        _stripes(OCHRE, RED, INDIGO, INDIGO, RED, OCHRE),
        _dots(chance, RED),
        _stripes(OCHRE, WINE, WINE, MOSS),
        _figures(chance, RED, "eye", "toucan", "cross", "steps"),
        _stripes(MOSS, WINE, BONE, WINE, MOSS),
        _zigzag(chance, RED),
        _stripes(OCHRE, RED, RED, OCHRE),
        _figures(chance, WINE, "llama", "bird", "eye"),
        _stripes(OCHRE, WINE, INDIGO, WINE, OCHRE),
        _dots(chance, WINE),
    ]
    cloth = np.concatenate(bands)
    wool = np.array([[int(each[i : i + 2], 16) for i in (1, 3, 5)] for each in WOOL], np.int16)
    rows = np.arange(len(cloth))[:, None, None]
    return Image.fromarray((wool[cloth] - 4 * (rows % 2)).astype(np.uint8), "RGB")


def _stripes(*wools: int) -> Cloth:
    return np.repeat(np.array(wools, np.uint8)[:, None], WIDTH, axis=1)


def _figures(chance: np.random.Generator, ground: int, *names: str) -> Cloth:
    """Figures in an order and in wools of chance, some of them looking the other way."""
    band = np.full((15, WIDTH), ground, np.uint8)
    chosen: list[Cloth] = []
    before = ("", -1)
    while sum(each.shape[1] + 4 for each in chosen) < WIDTH - 13:
        name, of = str(chance.choice(names)), int(chance.integers(len(TRIPLES)))
        if name == before[0] or of == before[1] or ground in TRIPLES[of][:1]:
            continue
        before = (name, of)
        letters: NDArray[np.str_] = np.array([[*row.strip()] for row in FIGURES[name].split()])
        figure: Cloth = np.full(letters.shape, ground, np.uint8)
        for letter, wool in zip("abc", TRIPLES[of], strict=True):
            figure[letters == letter] = wool
        chosen.append(figure[:, ::-1] if chance.random() < 0.4 else figure)
    free = WIDTH - sum(each.shape[1] for each in chosen)
    edges = [round(free * nth / len(chosen)) for nth in range(len(chosen) + 1)]
    at = edges[1] // 2
    for nth, figure in enumerate(chosen, 1):
        band[2 : 2 + len(figure), at : at + figure.shape[1]] = figure
        at += figure.shape[1] + edges[nth] - edges[nth - 1]
    return band


def _zigzag(chance: np.random.Generator, ground: int) -> Cloth:
    """Mountains, a few of each wool."""
    across, down = np.meshgrid(np.arange(WIDTH), np.arange(7))
    height = np.abs(across % 9 - 4)
    band = np.full((7, WIDTH), ground, np.uint8)
    wools = chance.permutation(np.resize([OCHRE, BONE, MOSS, INDIGO, OCHRE, BONE], WIDTH // 9))
    wool = wools[across // 9].astype(np.uint8)
    line = (down - 1 == height) | (down - 2 == height)
    band[line] = wool[line]
    top = (down == 0) & (height == 4)
    band[top] = OCHRE
    return band


def _dots(chance: np.random.Generator, ground: int) -> Cloth:
    """Pairs of stitches, as grains of maize in a row."""
    band = np.full((5, WIDTH), ground, np.uint8)
    for nth, wool in enumerate(chance.choice([OCHRE, BONE, MOSS, INDIGO], WIDTH // 6)):
        band[1 + nth % 2 : 4 - (nth + 1) % 2, 6 * nth + 1 : 6 * nth + 4] = wool
    return band


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=SITE)
    main(**vars(parser.parse_args()))
