"""What a frame costs the page that takes it in, in milliseconds of its main thread.

    lab/.venv/bin/python -m lab.frame_cost [--frames 60] [--rounds 3]

Somebody plays at a table of six, with bots, in a real Chromium of a phone's size, by a script in
the page that presses what can be pressed; somebody else watches. All that the page does is counted
(the frame, its own presses, drawing), less what it costs while nothing happens, and divided by the
frames. Nothing is animated: for what an animation costs see lab/long_tasks.py.
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import tempfile
import time
from pathlib import Path

import django
from playwright.sync_api import Browser, Page, sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()  # what the tests know of browsers
logging.getLogger("httpx").setLevel("WARNING")

from games.contract import catalogue  # noqa: E402
from lab.main_thread import spent, watched  # noqa: E402
from tests.e2e.conftest import QUICK  # noqa: E402
from tests.e2e.player import Player  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402
from tests.support.live_site import LiveSite, prepared  # noqa: E402

# Frames are counted as they come; what can be pressed is pressed a little later.
PLAY = """() => {
  const ways = ["[value=confirm]", "[value=dudo]", "[value=bid]", "[name=target]", "[value=play]",
    "[value=declare]", "[value=waive]"];
  const all = (selector) => [...document.querySelectorAll(`#own ${selector}:enabled`)];
  setInterval(() => {
    all("[name=card]")[0]?.click();
    ways.flatMap(all).find((button) => button.checkVisibility())?.click();
  }, 700);
}"""
COUNT = (
    "window.frames = 0; document.addEventListener('site:swapped', () => { window.frames += 1; });"
)
IDLE_SECONDS = 4
PATIENCE_SECONDS = 180


def measured(
    browsers: dict[str, Browser], site: LiveSite, game: str, frames: int
) -> dict[str, float]:
    """Milliseconds a frame: of who plays, and of who watches the same table."""
    size = {"width": 360, "height": 740}
    pages: dict[str, Page] = {}
    for who, browser in browsers.items():
        context = browser.new_context(viewport=size, reduced_motion="reduce")
        context.add_init_script(COUNT)
        pages[who] = context.new_page()
    player = Player(pages["plays"], site.url)
    player.go(player.post("/play-now", game=game, bots="5", strength="mixed"))
    pages["watches"].goto(f"{site.url}{player.address()}")
    protocols = {who: watched(page) for who, page in pages.items()}
    time.sleep(IDLE_SECONDS)  # what a page does when it opens
    before = {who: spent(protocol) for who, protocol in protocols.items()}
    time.sleep(IDLE_SECONDS)
    idle = {who: (spent(protocols[who]) - before[who]) / IDLE_SECONDS for who in pages}
    begun = time.monotonic()
    before = {who: spent(protocol) for who, protocol in protocols.items()}
    seen = {who: page.evaluate("window.frames") for who, page in pages.items()}
    pages["plays"].evaluate(PLAY)
    while time.monotonic() < begun + PATIENCE_SECONDS:
        time.sleep(1)
        over = pages["plays"].locator("[data-phase=over]").count()
        if over or pages["plays"].evaluate("window.frames") - seen["plays"] >= frames:
            break
    found = {}
    for who, page in pages.items():
        used = spent(protocols[who]) - before[who] - idle[who] * (time.monotonic() - begun)
        found[who] = 1000 * used / (page.evaluate("window.frames") - seen[who])
        page.context.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=60, help="how many make a round")
    parser.add_argument("--rounds", type=int, default=3, help="how often; medians are printed")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = LiveSite.of(prepared(), Path(folder) / "site", **QUICK | {"BOT_SECONDS": "0.7"})
        site.start()
        browsers = {  # pages of one browser would share a process, and its main thread
            who: playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
            for who in ("plays", "watches")
        }
        for game in catalogue.every():
            rounds = [measured(browsers, site, game.key, given.frames) for _ in range(given.rounds)]
            for who in rounds[0]:
                taken = [each[who] for each in rounds]
                every = ", ".join(f"{each:.1f}" for each in taken)
                print(f"{game.key}, who {who}: {statistics.median(taken):.1f} ms a frame ({every})")
        for browser in browsers.values():
            browser.close()
        site.kill()


if __name__ == "__main__":
    main()
