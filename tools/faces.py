"""Draws all faces side by side in every expression: `.venv/bin/python -m tools.faces`.

Animals and characters as a table shows them, calm, sure, caught and with closed eyes, 64 px wide,
in docs/screenshots/faces.webp. Look at it after a change of a drawing: every expression must be
told apart at that size. Needs Chromium, as the browser tests do.
"""

from __future__ import annotations

import argparse
import os
import sys
from io import BytesIO
from itertools import cycle
from pathlib import Path

import django
from PIL import Image
from playwright.sync_api import Route, sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.contrib.staticfiles import finders  # noqa: E402
from django.template.loader import render_to_string  # noqa: E402

from accounts import avatars  # noqa: E402
from games.perudo.bots.characters import CHARACTERS  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402

FOLDER = Path(__file__).parents[1] / "docs" / "screenshots"
ADDRESS = "http://faces.test"
ACROSS, MOST_BYTES = 3, 150_000
KINDS = {".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
EXPRESSIONS = ("calm", "sure", "caught", "blink")
PAGE = """<!DOCTYPE html><meta charset="utf-8">
<link rel="stylesheet" href="/static/site/site.css">
<link rel="stylesheet" href="/static/games/faces.css">
<style>
  body {{ display: grid; grid-template-columns: repeat({across}, max-content); gap: 14px 28px;
    inline-size: max-content; margin: 0; padding: 14px; background: #3a2217; color: #fff3dc; }}
  figure {{ margin: 0; }}
  figure > div {{ display: flex; gap: 8px; }}
  .avatar.avatar {{ --avatar: 64px; border-radius: 50%; box-shadow: 0 0 0 2px #fffaf0; }}
  figcaption {{ margin-block-start: 4px; font-size: 12px; line-height: 14px; text-align: center; }}
</style>{faces}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=FOLDER)
    to = parser.parse_args().to
    found = chromium() or sys.exit("No Chromium here.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        page = browser.new_page(reduced_motion="reduce")
        page.route(f"{ADDRESS}/**", _answer)
        page.goto(f"{ADDRESS}/")
        page.evaluate("document.fonts.ready")
        shown = page.locator("body").screenshot()
        browser.close()
    file = to / "faces.webp"
    Image.open(BytesIO(shown)).save(file, quality=80, method=6)
    size = file.stat().st_size
    print(f"{file.name}: {size} bytes")
    if size > MOST_BYTES:
        sys.exit(f"more than {MOST_BYTES}")


def _answer(route: Route) -> None:
    """The page, or a static file."""
    path = route.request.url.removeprefix(ADDRESS)
    if path == "/":
        faces = "".join(map(_figure, _faces()))
        content = PAGE.format(across=ACROSS, faces=faces)
        return route.fulfill(body=content, content_type="text/html")
    file = finders.find(path.removeprefix("/static/"))
    if not isinstance(file, str):
        return route.fulfill(status=404)
    return route.fulfill(path=file, content_type=KINDS[Path(file).suffix])


def _faces() -> list[dict[str, str]]:
    cloths = cycle(avatars.CLOTHS)
    animals = [avatars.avatar("", animal=each, cloth=next(cloths)) for each in avatars.ANIMALS]
    return [*animals, *(each.avatar for each in CHARACTERS.values())]


def _figure(face: dict[str, str]) -> str:
    drawn = render_to_string("_avatar.html", {"of": face, "lives": True})
    shown = "".join(
        f'<span data-mood="calm"><span data-blinks>{drawn}</span></span>'
        if each == "blink"
        else f'<span data-mood="{each}">{drawn}</span>'
        for each in EXPRESSIONS
    )
    return f"<figure><div>{shown}</div><figcaption>{face['animal']}</figcaption></figure>"


if __name__ == "__main__":
    main()
