"""Draws the tables of both games on screens of many sizes as contact sheets:
`.venv/bin/python -m tools.contact_sheets`.

A sheet is one screen and some states of a table, a row a state, a column a number of seats. The
tables are arranged once and kept in var/sheets; with `--anew` they are arranged for each screen,
because what a reveal shows ends after ten minutes.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import django
from playwright.sync_api import Browser, sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.e2e.boxes import Tables, arranged, tables_of  # noqa: E402
from tests.e2e.conftest import ARRANGING_MODULES, QUICK  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402
from tests.support.live_site import LiveSite, manage, prepare  # noqa: E402

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "var" / "sheets"
SCREENS = ("320x568", "360x740", "390x844", "740x360", "820x1180", "1280x720", "1920x1080")
_SHEET = """async ([cells, across, width, height, quality]) => {
  const head = 22, sheet = document.createElement("canvas");
  sheet.width = across * width;
  sheet.height = Math.ceil(cells.length / across) * (height + head);
  const paper = sheet.getContext("2d");
  paper.fillStyle = "#fff";
  paper.fillRect(0, 0, sheet.width, sheet.height);
  paper.fillStyle = "#000";
  paper.font = "14px sans-serif";
  for (const [i, cell] of cells.entries()) {
    const x = (i % across) * width, y = Math.floor(i / across) * (height + head);
    if (!cell) continue;
    const bytes = Uint8Array.from(atob(cell.png), (letter) => letter.charCodeAt(0));
    paper.fillText(cell.title, x + 4, y + 16, width - 8);
    paper.drawImage(await createImageBitmap(new Blob([bytes])), x, y + head, width, height);
  }
  return sheet.toDataURL("image/webp", quality).split(",")[1];
}"""


@dataclass(frozen=True)
class Look:
    """How the tables are looked at: the screen in px, the theme, the language, and by whom."""

    width: int
    height: int
    theme: str
    language: str
    viewer: str


@contextmanager
def served(game: str, *, anew: bool) -> Iterator[tuple[LiveSite, Tables]]:
    """The arranged tables of a game, with the style sheets and scripts as they are now."""
    data, told = KEPT / game, KEPT / f"{game}.json"
    if anew or not told.exists():
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir(parents=True)
        prepare(data)
        told.write_text(arranged(LiveSite(data), ARRANGING_MODULES[game]))
    else:
        collected = manage("collectstatic", "--no-input", "-v", "0", DATA_DIR=str(data))
        if collected.returncode:
            sys.exit(collected.stderr)
    site = LiveSite(data, **QUICK)
    site.start()
    try:
        yield site, tables_of(json.loads(told.read_text()))
    finally:
        site.kill()


def picture(browser: Browser, site: LiveSite, where: tuple[str, str], look: Look) -> bytes:
    """A table as one sees it who comes to it now, as PNG."""
    path, key = where
    context = browser.new_context(
        viewport={"width": look.width, "height": look.height},
        color_scheme="dark" if look.theme == "dark" else "light",
        locale=look.language,
        extra_http_headers={"Accept-Language": look.language},
        reduced_motion="reduce",
        service_workers="block",
    )
    if look.viewer == "player":
        context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}{path}")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(250)
    shown = page.screenshot()
    context.close()
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", nargs="*", default=[*ARRANGING_MODULES])
    parser.add_argument("--screens", nargs="*", default=SCREENS)
    parser.add_argument("--states", nargs="*", default=[])
    parser.add_argument("--seats", nargs="*", type=int, default=[2, 3, 4, 6, 8])
    parser.add_argument("--theme", default="light", choices=["light", "dark"])
    parser.add_argument("--language", default="en")
    parser.add_argument("--viewer", default="player", choices=["player", "stranger"])
    parser.add_argument("--rows", type=int, default=6, help="states on one sheet")
    parser.add_argument(
        "--cell", type=int, default=300, help="width of a picture in px, half of that of a wide one"
    )
    parser.add_argument("--quality", type=float, default=0.7, help="of the WebP, up to 1")
    parser.add_argument("--singly", action="store_true", help="each picture in a file of its own")
    parser.add_argument("--anew", action="store_true", help="arrange the tables again")
    parser.add_argument("--to", type=Path, default=ROOT / "var" / "sheets" / "drawn")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    found = chromium() or sys.exit("No Chromium here.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        empty = browser.new_page()
        for game in given.game:
            for screen in given.screens:
                with served(game, anew=given.anew) as (site, tables):
                    states = given.states or [*tables]
                    columns = [n for n in given.seats if any(n in tables[each] for each in states)]
                    width, height = map(int, screen.split("x"))
                    look = Look(width, height, given.theme, given.language, given.viewer)
                    for start in range(0, len(states), given.rows):
                        cells: list[dict[str, str] | None] = []
                        for state in states[start : start + given.rows]:
                            for seats in columns:
                                if seats not in tables[state]:
                                    cells.append(None)
                                    continue
                                png = picture(browser, site, tables[state][seats], look)
                                name = f"{game}-{screen}-{state}-{seats}"
                                if given.singly:
                                    (given.to / f"{name}.png").write_bytes(png)
                                drawn = base64.b64encode(png).decode()
                                cells.append({"title": f"{state}, {seats}", "png": drawn})
                        if not any(cells):
                            continue
                        cell = given.cell * 2 if width > height else given.cell
                        size = [cell, cell * height // width]
                        asked = [cells, len(columns), *size, given.quality]
                        file = given.to / f"{game}-{screen}-{start // given.rows + 1}.webp"
                        file.write_bytes(base64.b64decode(empty.evaluate(_SHEET, asked)))
                        print(file.name, file.stat().st_size // 1000, "KB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
