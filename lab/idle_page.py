"""What a table costs while nothing happens, beside the same page without animations.

    lab/.venv/bin/python -m lab.idle_page [--seconds 10] [--rounds 3]

It starts a server with a table of each game at which a turn waits, opens it in Chromium with and
without animations (`prefers-reduced-motion`) in turn, waits until what moves by itself has ended,
and prints how busy the page's main thread is, in percent of a core.
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
from playwright.sync_api import Browser, sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()  # what the tests know of browsers
logging.getLogger("httpx").setLevel("WARNING")

from lab.main_thread import spent, watched  # noqa: E402
from tests.e2e.boxes import arranged_once  # noqa: E402
from tests.e2e.conftest import ARRANGING_MODULES, QUICK  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402
from tests.support.live_site import LiveSite, prepared  # noqa: E402

SETTLED = 8  # seconds after which all that moves by itself has ended
MOTION = {"without animations": "reduce", "with animations": "no-preference"}


def busy(browser: Browser, url: str, key: str, motion: str, *, seconds: float) -> float:
    """How busy the main thread of the page is, in percent of a core."""
    context = browser.new_context(reduced_motion=motion, viewport={"width": 360, "height": 740})
    context.add_cookies([{"name": "sessionid", "value": key, "url": url}])
    page = context.new_page()
    page.goto(url)
    protocol = watched(page)
    time.sleep(SETTLED)
    before = spent(protocol)
    time.sleep(seconds)
    used = spent(protocol) - before
    context.close()
    return 100 * used / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="how long each page is watched")
    parser.add_argument("--rounds", type=int, default=3, help="how often; medians are printed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        for game, module in ARRANGING_MODULES.items():
            data, tables = arranged_once(prepared(), Path(folder) / game, module)
            site = LiveSite.of(data, Path(folder) / f"{game}-site", **QUICK)
            site.start()
            path, key = tables["turn"][6]
            url, seconds = f"{site.url}{path}", options.seconds
            found: dict[str, list[float]] = {name: [] for name in MOTION}
            for _ in range(options.rounds):
                for name, motion in MOTION.items():
                    found[name].append(busy(browser, url, key, motion, seconds=seconds))
            site.kill()
            for name, shares in found.items():
                print(f"{game}, {name}: {statistics.median(shares):.1f} % of a core")
        browser.close()


if __name__ == "__main__":
    main()
