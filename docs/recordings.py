"""Records what moves at a table as contact sheets: `.venv/bin/python -m docs.recordings`.

A frame every 100 ms of a roll, a bid, a reveal with a lost die, a palifico and a calza, in
docs/screenshots/moves-*.webp. The animations are held and led from frame to frame, so that the
sheets do not depend on how fast this machine is.
"""

from __future__ import annotations

import argparse
import base64
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import django
from playwright.sync_api import Page, sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.conftest import CHROMIUM_FLAGS, chromium  # noqa: E402
from tests.e2e.boxes import arranged_once  # noqa: E402
from tests.e2e.conftest import QUICK  # noqa: E402
from tests.live import LiveSite, prepare  # noqa: E402

FOLDER = Path(__file__).parent / "screenshots"
MOST_BYTES, MOST_FRAMES = 150_000, 30  # of one sheet
STEP_MS = 100
# What is recorded: the table it begins at (tests/e2e/arranged.py), the button that is pressed, and
# how long it is watched, in ms; None: as long as the reveal lasts.
SCENES = {
    "roll": ("before_roll", "confirm", 900),
    "bid": ("turn", "bid", 500),
    "reveal": ("doubt", "dudo", None),
    "palifico": ("before_palifico", "confirm", 1_200),
    "calza": ("exact", "calza", None),
}
AFTER = {
    "confirm": "#table:has(.bid.is-none)",
    "bid": "#table:has(.bid.is-fresh)",
    "dudo": "#table[data-phase=reveal]",
    "calza": "#table[data-phase=reveal]",
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


def frames(page: Page, does: str, lasts: int | None) -> Iterator[str]:
    """The frames from the press on, as PNG in base64."""
    page.evaluate(_HOLD)
    page.locator(f"#own button[value={does}]:enabled").wait_for()
    page.evaluate(_PRESS, does)  # a real click would scroll to the button
    page.locator(AFTER[does]).wait_for()
    if lasts is None:
        lasts = int(page.locator("[data-reveal]").get_attribute("data-lasts") or 0)
    for ms in range(0, lasts, STEP_MS):
        page.evaluate(_LEAD, ms)
        page.wait_for_timeout(60)  # the scripts hear what began
        yield base64.b64encode(page.screenshot()).decode()


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
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        prepare(Path(name) / "prepared")
        data, tables = arranged_once(Path(name) / "prepared", Path(name) / "arranged")
        site = LiveSite.of(data, Path(name) / "site", **QUICK)
        browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        try:
            site.start()
            for scene in given.scenes:
                state, does, lasts = SCENES[scene]
                path, key = tables[state][given.seats]
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    device_scale_factor=given.scale,
                    color_scheme=given.theme,
                    extra_http_headers={"Accept-Language": given.language},
                )
                context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
                page = context.new_page()
                page.goto(f"{site.url}{path}")
                shown = [*frames(page, does, lasts)]
                empty = context.new_page()
                for number, part in enumerate(batched(shown, MOST_FRAMES), start=1):
                    file = given.to / f"moves-{scene}-{number}.webp"
                    file.write_bytes(sheet(empty, part, given.across))
                    size = file.stat().st_size // 1000
                    print(f"{file.name}: {len(part)} frames, {size} KB", flush=True)
                context.close()
        finally:
            browser.close()
            site.kill()


if __name__ == "__main__":
    main()
