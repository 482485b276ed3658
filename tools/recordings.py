"""Records what moves at a table as contact sheets: `.venv/bin/python -m tools.recordings`.

A frame every 100 ms of what moves in each game, such as a roll, a reveal, an accusation, a won
stake and a victory, in docs/screenshots/moves-*.webp. The animations are held and led from frame
to frame, so that the sheets do not depend on how fast this machine is.
"""

from __future__ import annotations

import argparse
import base64
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import django
from playwright.sync_api import Page, sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.e2e.boxes import Tables, arranged_once, tables_of  # noqa: E402
from tests.e2e.conftest import QUICK  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402
from tests.support.live_site import LiveSite, prepare  # noqa: E402

FOLDER = Path(__file__).parents[1] / "docs" / "screenshots"
MOST_BYTES, MOST_FRAMES = 150_000, 30  # of one sheet
STEP_MS = 100


@dataclass(frozen=True)
class Scene:
    """What is recorded: the module and the state of its tables, the button that is pressed, and
    how long it is watched, in ms, after the reveal, if a game says how long that lasts.
    """

    module: str
    state: str
    does: str
    ms: int


_DICE, _CARDS = "tests.e2e.arranged", "games.peco_peco.tests.before_moments"
SCENES = {
    "roll": Scene(_DICE, "before_roll", "confirm", 1_200),
    "bid": Scene(_DICE, "turn", "bid", 500),
    "reveal": Scene(_DICE, "too_high", "dudo", 0),
    "lost-die": Scene(_DICE, "doubt", "dudo", 0),
    "palifico": Scene(_DICE, "before_palifico", "confirm", 1_200),
    "calza": Scene(_DICE, "exact", "calza", 0),
    "victory": Scene(_DICE, "last_doubt_no", "dudo", 3_000),
    "caught": Scene(_CARDS, "before_caught", "accuse", 1_900),
    "true": Scene(_CARDS, "before_true", "accuse", 1_900),
    "stake": Scene(_CARDS, "before_won", "declare", 2_600),
    "set": Scene(_CARDS, "before_set", "declare", 2_900),
}
AFTER = {
    "confirm": "#table:has(.bid.is-none, .middle > .palifico)",
    "bid": "#table:has(.bid.is-fresh)",
    "dudo": "#table:is([data-phase=reveal], [data-phase=over])",
    "calza": "#table[data-phase=reveal]",
    "accuse": "#table:has([data-verdict])",
    "declare": "#table:is([data-phase=reveal], [data-phase=over])",
}
# Leads every animation of a style sheet to a moment; what scripts animate goes by itself.
_LEAD = """(ms) => {
  for (const animation of document.getAnimations()) {
    if (!animation.animationName) continue;
    animation.pause();
    animation.currentTime = ms;
  }
}"""
_HOLD = """() => document.addEventListener("site:swapped", () => {
  for (const animation of document.getAnimations()) animation.pause();
})"""
_PRESS = "(does) => document.querySelector(`#own button[value=${does}]`).click()"
_SHEET = """async ([frames, across, quality]) => {
  const images = await Promise.all(frames.map(async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    return createImageBitmap(new Blob([bytes]));
  }));
  const [{ width, height }] = images;
  const sheet = document.createElement("canvas");
  sheet.width = across * width;
  sheet.height = Math.ceil(images.length / across) * height;
  const paper = sheet.getContext("2d");
  for (const [i, image] of images.entries()) {
    paper.drawImage(image, (i % across) * width, Math.floor(i / across) * height);
  }
  return sheet.toDataURL("image/webp", quality).split(",")[1];
}"""


def frames(page: Page, does: str, ms: int) -> Iterator[str]:
    """The frames from the press on, as PNG in base64."""
    page.evaluate(_HOLD)
    page.locator(f"#own button[value={does}]:enabled").wait_for()
    page.evaluate(_PRESS, does)  # a real click would scroll to the button
    page.locator(AFTER[does]).wait_for()
    if (reveal := page.locator("[data-reveal]")).count():
        ms += int(reveal.get_attribute("data-lasts") or 0)
    for at in range(0, ms, STEP_MS):
        page.evaluate(_LEAD, at)
        page.wait_for_timeout(60)  # the scripts hear what began
        yield base64.b64encode(page.screenshot()).decode()


def started(folder: Path, module: str) -> tuple[LiveSite, Tables]:
    """A site with the tables of a module, running."""
    data, told = arranged_once(folder / "prepared", folder / module, module)
    site = LiveSite.of(data, folder / f"{module}.site", **QUICK)
    site.start()
    return site, tables_of(told)


def batched(shown: list[str], most: int) -> Iterator[list[str]]:
    for start in range(0, len(shown), most):
        yield shown[start : start + most]


def sheet(page: Page, shown: list[str], across: int) -> bytes:
    """One picture of all frames, as good as it may be within the size of a file."""
    for quality in (0.6, 0.4, 0.2, 0.1):
        drawn = base64.b64decode(page.evaluate(_SHEET, [shown, across, quality]))
        if len(drawn) <= MOST_BYTES:
            return drawn
    raise SystemExit("The sheet is too large; draw it at a smaller --scale.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", default=[*SCENES])
    parser.add_argument("--size", default="360x740")
    parser.add_argument("--theme", default="light", choices=["light", "dark"])
    parser.add_argument("--language", default="en")
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--scale", type=float, default=0.42)
    parser.add_argument("--across", type=int, default=10)
    parser.add_argument("--to", type=Path, default=FOLDER)
    given = parser.parse_args()
    width, height = map(int, given.size.split("x"))
    found = chromium() or sys.exit("No Chromium here.")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        prepare(Path(folder) / "prepared")
        browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        sites: dict[str, tuple[LiveSite, Tables]] = {}
        try:
            for name in given.scenes:
                scene = SCENES[name]
                if scene.module not in sites:
                    sites[scene.module] = started(Path(folder), scene.module)
                site, tables = sites[scene.module]
                seats = min(tables[scene.state], key=lambda seats: abs(seats - given.seats))
                path, key = tables[scene.state][seats]
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    device_scale_factor=given.scale,
                    color_scheme=given.theme,
                    extra_http_headers={"Accept-Language": given.language},
                )
                context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
                page = context.new_page()
                page.goto(f"{site.url}{path}")
                shown = [*frames(page, scene.does, scene.ms)]
                empty = context.new_page()
                for number, part in enumerate(batched(shown, MOST_FRAMES), start=1):
                    file = given.to / f"moves-{name}-{number}.webp"
                    file.write_bytes(sheet(empty, part, given.across))
                    size = file.stat().st_size // 1000
                    print(f"{file.name}: {len(part)} frames, {size} KB", flush=True)
                context.close()
        finally:
            browser.close()
            for site, _ in sites.values():
                site.kill()


if __name__ == "__main__":
    main()
