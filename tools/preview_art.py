"""Draws the grounds of link previews from a real site: `.venv/bin/python -m tools.preview_art`.

One for the site and two for each game, the second for games that are over, without words:
`games/views/preview_image.py` writes those. Few and flat colours keep the files light. And the
faces of winners, in layers: `games/views/preview_faces.py` dresses them in any poncho.
"""

from __future__ import annotations

import argparse
import json
import os
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import django
from django.template.loader import render_to_string
from PIL import Image, ImageChops
from playwright.sync_api import Page, sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from accounts import avatars  # noqa: E402
from games.contract import catalogue  # noqa: E402
from games.perudo.bots.characters import CHARACTERS  # noqa: E402
from games.views.preview_faces import FACES  # noqa: E402
from games.views.preview_image import SITE_GROUND, SIZE  # noqa: E402
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
# The stage, when a game is over: the table at the right under its lamp, where the winner will be.
ENDING_STYLE = """
  body::before { content: ""; position: fixed; inset: 0; z-index: -1;
    background: radial-gradient(circle at 77% 42%, #6d3f24, #2b160d 45%, #140c0d 80%); }
  .edge { opacity: .45; }
  .edge.edge:not(.top) { display: none; }
  .board.board { inset: 150px -60px -260px 560px; border-color: #4b2a16; border-width: 18px;
    background: url(/static/site/wood-desk.webp) 0 0 / 100% 100%; box-shadow: 0 0 90px #000; }
  .board::after { content: ""; position: absolute; inset: -200px;
    background: radial-gradient(circle at 50% 40%, #ffd98a66, #ffd98a00 45%); }
  .art.art { inset: auto 40px 30px 700px; flex-wrap: nowrap; }
  .art.art .cup { display: none; }
  .art.art .die { --die: 84px !important; }
  .art.art :is(.animal-card, .stake-card) { --card-width: 84px !important; }
"""
CELL = 320  # of a face, in pixels
FACE_STYLE = f"""
  body {{ margin: 0; background: none !important; }}
  .avatar.avatar {{ display: block; inline-size: {CELL}px; block-size: {CELL}px; border-radius: 0;
    background: none; box-shadow: none; fill: var(--fill); color: var(--thread); }}
  .avatar > * {{ opacity: 1 !important; transition: none !important; }}
  .avatar > :is(.calm, .blink, .caught), .weaves .avatar > :not(:nth-child(2)),
  .faces .avatar > :nth-child(2) {{ display: none; }}
  body::before {{ display: none; }}
"""
COLOURS_OF = """(names) => Object.fromEntries(names.map((name) => {
  const made = document.createElement("b");
  made.className = `avatar is-${name}`;
  document.body.append(made);
  const style = getComputedStyle(made);
  const parts = ["--ground", "--poncho", "--stitch"].map((each) => style.getPropertyValue(each));
  made.remove();
  return [name, parts.map((each) => each.trim())];
}))"""
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
                page.goto(f"{site.url}/bots")
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
            for place, kind in enumerate(kinds):
                page = context.new_page()
                page.goto(f"{site.url}/bots")
                page.add_style_tag(content=STYLE + ENDING_STYLE)
                page.evaluate(ARRANGE, [place])
                page.wait_for_timeout(300)
                file = to / kind.key / "static" / kind.assets.ending
                Image.open(BytesIO(page.screenshot())).convert("RGB").save(
                    file, quality=80, method=6
                )
                print(f"{file.name} of {file.parent.name}: {file.stat().st_size // 1000} KB")
            folder = to / "static" / FACES
            folder.mkdir(parents=True, exist_ok=True)
            page.add_style_tag(content=FACE_STYLE)
            draw_faces(page, folder)
        finally:
            site.kill()


def draw_faces(page: Page, folder: Path) -> None:
    """Every face, sure of itself, without its poncho; every poncho, and the colours of all cloths.

    A poncho is three cells side by side: all black, then where its cloth is, then its thread.
    """
    faces = [avatars.avatar("", animal=each) for each in avatars.ANIMALS]
    faces += [each.avatar for each in CHARACTERS.values()]
    for face in faces:
        _save(_drawn(page, face, "faces"), folder / f"{face['animal']}.webp")
    for weave in avatars.WEAVES:
        worn = faces[0] | {"weave": weave}
        black = _drawn(page, worn, "weaves")
        cells = Image.new("RGBA", (3 * CELL, CELL))
        cells.paste(black, (0, 0))
        for place, white in enumerate(("fill", "thread"), start=1):
            light = ImageChops.difference(_drawn(page, worn, "weaves", white), black)
            cells.paste(Image.merge("RGBA", [light.getchannel("R")] * 4), (place * CELL, 0))
        _save(cells, folder / f"{weave}.webp")
    colours = page.evaluate(COLOURS_OF, [*avatars.CLOTHS])
    (folder / "cloths.json").write_text(json.dumps(colours, indent=1) + "\n")
    print(f"{len(faces)} faces: {sum(each.stat().st_size for each in folder.iterdir()) // 1000} KB")


def _drawn(page: Page, face: dict[str, str], of: str, white: str = "") -> Image.Image:
    """A face or a poncho in black, but for the `fill` or the `thread` in white."""
    drawn = render_to_string("_avatar.html", {"of": face, "lives": True})
    colours = {"fill": "#000", "thread": "#000"} | ({white: "#fff"} if white else {})
    style = "; ".join(f"--{name}: {colour}" for name, colour in colours.items())
    html = f'<div class="{of}" style="{style}">{drawn}</div>'
    page.evaluate("(html) => { document.body.innerHTML = html; }", html)
    page.wait_for_timeout(120)
    shot = page.screenshot(
        omit_background=True, clip={"x": 0, "y": 0, "width": CELL, "height": CELL}
    )
    return Image.open(BytesIO(shot)).convert("RGBA")


def _save(image: Image.Image, file: Path) -> None:
    image.save(file, quality=85, method=6)


if __name__ == "__main__":
    main()
