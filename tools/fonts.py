"""Cuts the faces of the pages out of Alegreya: `.venv/bin/python tools/fonts.py FOLDER`.

FOLDER has the npm packages @fontsource/alegreya and @fontsource/alegreya-sans 5.3.0 (SIL Open Font
License): `npm install --prefix . @fontsource/alegreya@5.3.0 @fontsource/alegreya-sans@5.3.0` makes
`node_modules/@fontsource`. If paths of other fonts follow, it also prints the metrics with which
those stand in for each face in fonts.css.
"""

from __future__ import annotations

import argparse
import math
import shutil
from dataclasses import dataclass
from pathlib import Path

from fontTools import subset
from fontTools.misc.transform import Transform
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

SITE = Path(__file__).resolve().parent.parent / "perudo_site/static/site"
# Everything that English, French, Italian and Spanish are written with, and the signs of the pages.
LETTERS = "".join(map(chr, range(0x20, 0x7F))) + (
    "\u00a0¡¿«»‹›“”‘’‚„…–—·•×÷±°ªº§©½€\u202f\u2009\u2212←→↑↓⋯⋮"
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØŒÙÚÛÜÝŸàáâãäåæçèéêëìíîïñòóôõöøœùúûüýÿß"
)
LIGATURES = {"fi", "fl", "T_h.liga"}
NARROW = "\u202f\u2009"  # spaces before ? and within numbers
NARROW_WIDTH = 0.12  # em
SAMPLE = (
    "How many dice are under the cups? Raise the bid, bluff or call dudo. Combien de dés sous les "
    "gobelets ? Monte l'enchère, bluffe ou dis dudo. Quanti dadi ci sono sotto i bicchieri? "
    "¿Cuántos dados hay bajo los cubiletes? Sube la apuesta. 1234567890"
)


@dataclass(frozen=True)
class Face:
    """A file that is cut, and what fonts.css says of it: its size-adjust, ascent and descent."""

    name: str
    package: str
    source: str
    size: float
    ascent: float
    descent: float


FACES = (
    Face("alegreya-700", "alegreya", "alegreya-latin-700-normal", 1.06, 1.016, 0.345),
    # A line of it is as high as one of the fonts that systems have.
    Face("alegreya-sans-500", "alegreya-sans", "alegreya-sans-latin-500-normal", 1.1, 0.84, 0.24),
    Face("alegreya-sans-700", "alegreya-sans", "alegreya-sans-latin-700-normal", 1.1, 0.84, 0.24),
)


def main(folder: Path, fallbacks: list[Path], to: Path) -> None:
    for face in FACES:
        target = to / f"{face.name}.woff2"
        _cut(folder / face.package / "files" / f"{face.source}.woff2", target)
        shutil.copy(folder / face.package / "LICENSE", to / f"{face.package}-license.txt")
        print(f"{target.name}: {target.stat().st_size} bytes")
        for fallback in fallbacks:
            print(f"  {fallback.stem}: {_metrics(face, TTFont(target), TTFont(fallback))}")


def _cut(source: Path, target: Path) -> None:
    font = TTFont(source, recalcTimestamp=False)
    _use_lining_digits(font)
    _keep_few_ligatures(font)
    _narrow_spaces(font)
    _turn_arrows(font)
    _place_dots(font)
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["kern", "liga"]
    options.hinting = False
    options.name_IDs = []
    options.drop_tables += ["GDEF", "STAT", "gasp"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=LETTERS)
    subsetter.subset(font)
    subset.save_font(font, str(target), options)


def _use_lining_digits(font: TTFont) -> None:
    """Make digits of one height and width the usual ones: others dance among dice and in clocks.

    A style sheet could ask for them, but every `font` shorthand would take that back.
    """
    lining, tabular = _swaps(font, "lnum"), _swaps(font, "tnum")
    for table in font["cmap"].tables:
        for code, glyph in table.cmap.items():
            if chr(code).isdigit():
                high = lining.get(glyph, glyph)
                table.cmap[code] = tabular.get(high, high)


def _swaps(font: TTFont, tag: str) -> dict[str, str]:
    """Which glyph a feature puts in the place of which."""
    table = font["GSUB"].table
    records = table.FeatureList.FeatureRecord
    feature = next(each.Feature for each in records if each.FeatureTag == tag)
    swaps: dict[str, str] = {}
    for index in feature.LookupListIndex:
        for part in table.LookupList.Lookup[index].SubTable:
            swaps |= getattr(part, "ExtSubTable", part).mapping
    return swaps


def _keep_few_ligatures(font: TTFont) -> None:
    """Leave out those that compose letters and accents: each would bring glyphs along."""
    table = font["GSUB"].table
    kept = set()
    for nth, lookup in enumerate(table.LookupList.Lookup):
        for part in lookup.SubTable:
            found = getattr(getattr(part, "ExtSubTable", part), "ligatures", {})
            for first, ligatures in found.items():
                found[first] = [each for each in ligatures if each.LigGlyph in LIGATURES]
                if found[first]:
                    kept.add(nth)
    for record in table.FeatureList.FeatureRecord:
        lookups = record.Feature.LookupListIndex
        record.Feature.LookupListIndex = [nth for nth in lookups if nth in kept]


def _narrow_spaces(font: TTFont) -> None:
    """Let one glyph be all narrow spaces; Alegreya has no U+202F, and its thin space is wide."""
    glyph = font.getBestCmap()[ord("\u2009")]
    font["hmtx"][glyph] = (round(NARROW_WIDTH * font["head"].unitsPerEm), 0)
    _name(font, dict.fromkeys(NARROW, glyph))


def _turn_arrows(font: TTFont) -> None:
    """Alegreya has only the arrows that point up and down: turn one of them for the others."""
    down = font.getBestCmap()[ord("↓")]
    shape = font["glyf"][down]
    centre, middle = (shape.xMin + shape.xMax) / 2, (shape.yMin + shape.yMax) / 2
    half = font["hmtx"][down][0] / 2 + (shape.yMax - shape.yMin - shape.xMax + shape.xMin) / 2
    for sign, angle in (("→", math.pi / 2), ("←", -math.pi / 2)):
        turn = Transform().translate(half, middle).rotate(angle).translate(-centre, -middle)
        _draw(font, sign, 2 * half, down, [turn])


def _place_dots(font: TTFont) -> None:
    """Three dots beside and above each other, as signs of what is left out or of a menu."""
    dot = font.getBestCmap()[ord("·")]
    shape = font["glyf"][dot]
    step, own = 1.7 * (shape.xMax - shape.xMin), font["hmtx"][dot][0]
    places = [Transform().translate(step * nth, 0) for nth in (0, 1, 2)]
    _draw(font, "⋯", own + 2 * step, dot, places)
    _draw(font, "⋮", own, dot, [Transform().translate(0, step * nth) for nth in (-1, 0, 1)])


def _draw(font: TTFont, sign: str, width: float, of: str, places: list[Transform]) -> None:
    """Add a sign that repeats the shape of a glyph."""
    glyphs, pen = font.getGlyphSet(), TTGlyphPen(None)
    for place in places:
        glyphs[of].draw(TransformPen(pen, place))
    font.setGlyphOrder([*font.getGlyphOrder(), sign])
    font["glyf"][sign] = glyph = pen.glyph()
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][sign] = (round(width), glyph.xMin)
    _name(font, {sign: sign})


def _name(font: TTFont, glyphs: dict[str, str]) -> None:
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap |= {ord(letter): glyph for letter, glyph in glyphs.items()}


def _metrics(face: Face, font: TTFont, fallback: TTFont) -> str:
    """The descriptors that give the fallback the widths and the line box of the face."""
    scale = _width(font) / _width(fallback)
    lines = {"ascent": face.ascent, "descent": face.descent, "line-gap": 0}
    said = [f"size-adjust: {scale * face.size:.1%};"]
    said += [f"{name}-override: {value / scale:.1%};" for name, value in lines.items()]
    return " ".join(said)


def _width(font: TTFont) -> float:
    """The width of the sample in em."""
    glyphs, widths = font.getBestCmap(), font["hmtx"]
    return sum(widths[glyphs[ord(letter)]][0] for letter in SAMPLE) / font["head"].unitsPerEm


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("fallbacks", type=Path, nargs="*")
    parser.add_argument("--to", type=Path, default=SITE)
    main(**vars(parser.parse_args()))
