"""Draws the grounds of link previews from a real site: `.venv/bin/python -m tools.preview_art`.

One for the site and one for each game, without words: `games/rendering/preview_image.py` writes
those. Few and flat colours keep the files light.
"""

from __future__ import annotations

import argparse
import os
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import django
from PIL import Image
from playwright.sync_api import sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from games import catalogue  # noqa: E402
from games.rendering.preview_image import SITE_GROUND, SIZE  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402
from tests.support.live_site import LiveSite, prepare  # noqa: E402

GAMES = Path(__file__).resolve().parent.parent / "games"
COLOURS = 64
STYLE = """
  body { display: block; overflow: hidden; min-block-size: 0; background: #f6efe2; }
  .edge { position: absolute; inset: auto 0 0; block-size: 48px;
    background: url(/static/site/band.svg) 0 0 / auto 48px; }
  .edge.top { inset: 0 0 auto; }
  .board { position: absolute; inset: 105px 50px 105px 700px; border: 16px solid #7c5230;
    border-radius: 50%; background: #cfa26c; }
  .art { position: absolute; inset: 0 50px 0 700px; display: flex; flex-wrap: wrap; gap: 14px;
    align-content: center; justify-content: center; align-items: end; }
  .art * { filter: none !important; }
  .art .die { --die: 92px !important; }
  .art .cup { --cup: 170px !important; }
  .art :is(.animal-card, .stake-card) { --card-width: 118px !important; }
  .art.many { gap: 8px; padding: 0 40px; }
  .art.many .die { --die: 66px !important; }
  .art.many .cup { --cup: 96px !important; }
  .art.many :is(.animal-card, .stake-card) { --card-width: 78px !important; }
"""
ARRANGE = """(games) => {
  const pictures = [...document.querySelectorAll(".hero-picture")];
  const art = document.createElement("div");
  art.className = games.length > 1 ? "art many" : "art";
  art.append(...games.flatMap((game) => [...pictures[game].children]));
  const parts = ["board", "edge top", "edge"].map((name) => `<div class="${name}"></div>`);
  document.body.innerHTML = parts.join("");
  document.body.append(art);
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=GAMES, help="a folder laid out like games/")
    to = parser.parse_args().to
    kinds = [*catalogue.every()]
    grounds = {to / "static" / SITE_GROUND: [*range(len(kinds))]}
    for place, kind in enumerate(kinds):
        grounds[to / kind.key / "static" / kind.assets.preview] = [place]
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        prepare(Path(name) / "prepared")
        site = LiveSite.of(Path(name) / "prepared", Path(name) / "site")
        try:
            site.start()
            browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
            size = {"width": SIZE[0], "height": SIZE[1]}
            context = browser.new_context(viewport=size, color_scheme="light", bypass_csp=True)
            for file, places in grounds.items():
                page = context.new_page()
                page.goto(site.url)
                page.add_style_tag(content=STYLE)
                page.evaluate(ARRANGE, places)
                page.wait_for_timeout(300)
                few = (
                    Image.open(BytesIO(page.screenshot()))
                    .convert("RGB")
                    .quantize(COLOURS, dither=0)
                )
                file.parent.mkdir(parents=True, exist_ok=True)
                few.save(file, optimize=True)
                print(f"{file.name} of {file.parent.name}: {file.stat().st_size // 1000} KB")
        finally:
            site.kill()


if __name__ == "__main__":
    main()
