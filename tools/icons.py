"""Draws the icons of the installed site from icon.svg: `.venv/bin/python tools/icons.py`.

Needs Chromium, as the browser tests do. A maskable icon fills its square to the edges, since each
phone cuts its own shape out of it; what matters stays within the inner four fifths.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

import django
from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402

SITE = Path(__file__).resolve().parent.parent / "perudo_site/static/site"
BONE = "#fbf4e4"  # the ground of the die in icon.svg
PAGE = """<!DOCTYPE html><style>
  html, body {{ margin: 0; background: {ground}; }}
  svg {{ display: block; width: {width}vw; margin: {margin}vw; }}
</style>{svg}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=SITE)
    to = parser.parse_args().to
    svg = (SITE / "icon.svg").read_text()
    bare = re.sub(r"<rect[^>]*/>", "", svg, count=1)  # without the rounded edge of the die
    kinds = {
        "icon": PAGE.format(ground="none", width=100, margin=0, svg=svg),
        "icon-maskable": PAGE.format(ground=BONE, width=76, margin=12, svg=bare),
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        for size in (192, 512):
            page = browser.new_page(viewport={"width": size, "height": size})
            for name, content in kinds.items():
                page.set_content(content)
                file = to / f"{name}-{size}.png"
                page.screenshot(path=file, omit_background=True)
                _lighten(file)
                print(f"{file.name}: {file.stat().st_size} bytes")
        browser.close()


def _lighten(file: Path) -> None:
    """Write a picture with a palette: a third of the bytes, and nobody sees it."""
    with Image.open(file) as picture:
        few = picture.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, optimize=True)


if __name__ == "__main__":
    main()
