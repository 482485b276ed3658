"""The longest task of the page while dice roll and a reveal plays, on a processor six times slower.

Real rounds at a table of six in a real Chromium, throttled as its developer tools do it. A task
counts when it begins within the animation; the one that swaps the table in comes before and is
reported beside it. The browser reports tasks from 50 ms on: 0 means that none was that long.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

import django
from playwright.sync_api import Page, sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()  # what the tests know of browsers
logging.getLogger("httpx").setLevel("WARNING")

from tests.e2e.conftest import QUICK  # noqa: E402
from tests.e2e.player import Player, play  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, HEADLESS, chromium  # noqa: E402
from tests.support.live_site import LiveSite, prepared  # noqa: E402

# The first and the last animation that tell when it begins, and how long it is watched, in ms.
MOVES = {"roll": ("slam-mine", 1_100), "reveal": ("uncover", 4_000)}
WATCH = """
Object.assign(window, { tasks: [], begun: {} });
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) tasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
document.addEventListener("animationstart", ({ animationName }) => {
  begun[animationName] ??= performance.now();
});
"""
FORGET = "() => { tasks.length = 0; begun = {}; }"


def longest(page: Page, animation: str, lasts: int) -> tuple[float, float]:
    """The longest task of the animation that has just been played, and the longest before it."""
    page.wait_for_function("name => begun[name]", arg=animation)
    page.wait_for_timeout(lasts + 500)
    noted: dict[str, Any] = page.evaluate("({ tasks, begun })")
    begin = noted["begun"][animation]
    within = [took for at, took in noted["tasks"] if begin <= at < begin + lasts]
    before = [took for at, took in noted["tasks"] if at < begin]
    return max(within, default=0), max(before, default=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slower", type=float, default=6)
    given = parser.parse_args()
    found: dict[str, list[tuple[float, float]]] = {move: [] for move in MOVES}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = LiveSite.of(prepared(), Path(folder) / "site", **QUICK | {"BOT_SECONDS": "1.2"})
        executable = shutil.which(HEADLESS) or chromium()
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        try:
            site.start()
            for _ in range(given.rounds):
                measure(
                    browser.new_context(viewport={"width": 360, "height": 740}), site, given, found
                )
        finally:
            site.kill()
            browser.close()
    for move, taken in found.items():
        within, before = (statistics.median(each) for each in zip(*taken, strict=True))
        every = ", ".join(f"{task:.0f}" for task, _ in taken)
        print(f"{move:8} median {within:4.0f} ms ({every}); before it {before:4.0f} ms")


def measure(context: Any, site: LiveSite, given: Any, found: dict[str, list[Any]]) -> None:
    """One reveal and the roll after it, at a new table."""
    context.add_init_script(WATCH)
    player = Player(context.new_page(), site.url)
    player.play_now(bots=5)
    play([player], until=lambda: player.my_turn and player.can("dudo"))
    slow = context.new_cdp_session(player.page)
    for move, does in (("reveal", "dudo"), ("roll", "confirm")):
        player.page.evaluate(FORGET)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": given.slower})
        player.page.evaluate(f"document.querySelector('#own [value={does}]').click()")
        found[move].append(longest(player.page, *MOVES[move]))
        player.page.locator("html:not([data-suspense])").wait_for(state="attached")
        slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    context.close()


if __name__ == "__main__":
    main()
