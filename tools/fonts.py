"""Cuts the display face of the pages out of Alegreya: `.venv/bin/python tools/fonts.py FOLDER`.

FOLDER is the npm package @fontsource/alegreya 5.3.0 (SIL Open Font License), unpacked:
`npm pack @fontsource/alegreya@5.3.0 && tar xzf fontsource-alegreya-5.3.0.tgz` makes `package`.
It also prints the metrics for the fallback faces in fonts.css, for a serif font of this machine if
its path is the second argument.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

SITE = Path(__file__).resolve().parent.parent / "perudo_site/static/site"
SOURCE = "files/alegreya-latin-700-normal.woff2"
SIZE = 1.06  # the face's own size-adjust in fonts.css
# Everything that English, French, Italian and Spanish are written with, and the signs of the pages.
LETTERS = "".join(map(chr, range(0x20, 0x7F))) + (
    "\u00a0¡¿«»“”‘’‚„…–—·•×÷±°ªº§©½€\u202f\u2009\u2212"
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØŒÙÚÛÜÝŸàáâãäåæçèéêëìíîïñòóôõöøœùúûüýÿß"
)
SAMPLE = (
    "How many dice are under the cups? Raise the bid, bluff or call dudo. Combien de dés sous les "
    "gobelets ? Monte l'enchère, bluffe ou dis dudo. Quanti dadi ci sono sotto i bicchieri? "
    "¿Cuántos dados hay bajo los cubiletes? Sube la apuesta. 1234567890"
)


def main(folder: Path, fallback: Path | None, to: Path) -> None:
    font = TTFont(folder / SOURCE)
    _use_lining_digits(font)
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["kern", "liga", "mark", "ccmp", "locl"]
    options.hinting = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=LETTERS)
    subsetter.subset(font)
    target = to / "alegreya-700.woff2"
    subset.save_font(font, str(target), options)
    shutil.copy(folder / "LICENSE", to / "alegreya-license.txt")
    print(f"{target.name}: {target.stat().st_size} bytes")
    if fallback:
        _print_metrics(TTFont(target), TTFont(fallback))


def _use_lining_digits(font: TTFont) -> None:
    """Make digits of one height the usual ones: the old-style ones dance among dice and bids.

    A style sheet could ask for them, but every `font` shorthand would take that back.
    """
    lookups = font["GSUB"].table.LookupList.Lookup
    features = font["GSUB"].table.FeatureList.FeatureRecord
    lining = next(each.Feature for each in features if each.FeatureTag == "lnum")
    swaps: dict[str, str] = {}
    for index in lining.LookupListIndex:
        for table in lookups[index].SubTable:
            swaps |= getattr(table, "ExtSubTable", table).mapping
    for table in font["cmap"].tables:
        for code, glyph in table.cmap.items():
            if chr(code).isdigit():
                table.cmap[code] = swaps.get(glyph, glyph)


def _print_metrics(font: TTFont, fallback: TTFont) -> None:
    """The descriptors that give the fallback the widths and the line box of the face."""
    scale = _width(font) / _width(fallback)
    head, lines = font["head"].unitsPerEm, font["hhea"]
    print(f"size-adjust: {scale * SIZE:.1%}")
    for name, value in (
        ("ascent", lines.ascent),
        ("descent", -lines.descent),
        ("line-gap", lines.lineGap),
    ):
        print(f"{name}-override: {value / head / scale:.1%}")


def _width(font: TTFont) -> float:
    """The width of the sample in em."""
    glyphs, widths = font.getBestCmap(), font["hmtx"]
    return sum(widths[glyphs[ord(letter)]][0] for letter in SAMPLE) / font["head"].unitsPerEm


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("fallback", type=Path, nargs="?")
    parser.add_argument("--to", type=Path, default=SITE)
    main(**vars(parser.parse_args()))
