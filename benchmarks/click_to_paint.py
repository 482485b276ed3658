"""How long after a click in one browser another one has painted what came of it.

Two pages of a real Chromium sit at one table of two. Measured is the time from the click event in
the page of who speaks until the other page has painted its new screen: the second animation frame
after the change, so at most one frame of the display too much. In the same run, for comparison:
the same click until the next paint of its own page, which asks no server, and the floor's page at
the stock floor.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from playwright.sync_api import Browser, Page, sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()  # what the tests know of browsers stands beside what they know of people
logging.getLogger("httpx").setLevel("WARNING")

from benchmarks.load.clients import TOKEN  # noqa: E402
from benchmarks.load.targets import SET_UPS, Running, Staging  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402

# Both pages are watched by somebody: neither may be slowed down as a tab in the background.
FLAGS = [
    *CHROMIUM_FLAGS,
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
]
# Times are those of the machine, so that two pages can be compared.
WATCH = """
Object.assign(window, { painted: [], clicked: [], answered: [], shown: -1 });
const now = () => performance.timeOrigin + performance.now();
const seq = () => Number(document.querySelector("#own")?.dataset.seq ?? -1);
const afterPaint = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
new MutationObserver(() => {
  if (seq() <= window.shown) return;
  const here = window.shown = seq();
  afterPaint(() => painted.push([here, now()]));
}).observe(document, { subtree: true, childList: true, attributes: true });
document.addEventListener("click", (event) => {
  clicked.push(performance.timeOrigin + event.timeStamp);
  afterPaint(() => answered.push(now()));
}, true);
"""
PATIENCE = 10_000  # ms
POLL = 100  # ms: to look every animation frame, as Playwright does by itself, keeps a page busy
BIDS = 8  # made in a round before somebody doubts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--pause", type=float, default=0.3, help="seconds between two moves")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="perudo-paint-") as folder:
        staging = Staging(Path(folder), tables=2, seats=2, postgres="", redis="")
        with staging.running("site", SET_UPS[0], "perudo") as running, two_pages(running) as pages:
            site, own = play(pages, chosen.moves, chosen.pause)
        with staging.running("stock", SET_UPS[0]) as running, two_pages(running) as pages:
            floor, _ = play(pages, chosen.moves, chosen.pause)
    rows = {
        "the other page of the site": site,
        "the other page of the stock floor": floor,
        "one's own page, which asks no server": own,
    }
    found = {
        what: {
            "moves": len(taken),
            "p50_ms": round(statistics.median(taken), 1),
            "p95_ms": round(statistics.quantiles(taken, n=20)[18], 1),
        }
        for what, taken in rows.items()
    }
    for what, row in found.items():
        print(f"{what:40} p50 {row['p50_ms']:6.1f}  p95 {row['p95_ms']:6.1f} ms")
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n")


@contextmanager
def two_pages(running: Running) -> Iterator[list[Page]]:
    """The two people of the first table, each in a separate browser context."""
    found = chromium()
    if found is None:
        raise SystemExit("No Chromium is installed.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield [page_of(browser, running, number) for number in range(2)]
        browser.close()


def page_of(browser: Browser, running: Running, number: int) -> Page:
    table = running.tables[0]
    url = running.urls[0]
    context = browser.new_context()
    cookies = {"sessionid": table["sessions"][number], "csrftoken": TOKEN}
    context.add_cookies([{"name": name, "value": cookies[name], "url": url} for name in cookies])
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(f"{url}/games/{table['code']}")
    page.wait_for_function("() => painted.length > 0", polling=POLL)
    return page


def play(pages: list[Page], moves: int, pause: float) -> tuple[list[float], list[float]]:
    """Milliseconds of so many bids and doubts: to the other page's paint, and to one's own."""
    across: list[float] = []
    own: list[float] = []
    bids = 0
    while len(across) < moves:
        seq = max(page.evaluate("shown") for page in pages)
        for page in pages:
            page.wait_for_function("seq => shown >= seq", arg=seq, timeout=PATIENCE, polling=POLL)
        time.sleep(pause)
        speaker = next((page for page in pages if page.locator("#own.is-turn").count()), None)
        if speaker is None:
            bids = 0
            look(pages)
            continue
        dudo = speaker.locator("#own button[value=dudo]:enabled")
        bid = speaker.locator("button[value=bid]:enabled")
        button = dudo if dudo.count() and (bids >= BIDS or not bid.count()) else bid
        bids += 1
        other = pages[1 - pages.index(speaker)]
        button.click()
        other.wait_for_function(
            "seq => painted.at(-1)[0] > seq", arg=seq, timeout=PATIENCE, polling=POLL
        )
        speaker.wait_for_function(
            "() => answered.length == clicked.length", timeout=PATIENCE, polling=POLL
        )
        clicked = speaker.evaluate("clicked.at(-1)")
        painted = other.evaluate("seq => painted.find(([number]) => number > seq)[1]", seq)
        across.append(painted - clicked)
        own.append(speaker.evaluate("answered.at(-1)") - clicked)
    return across, own


def look(pages: list[Page]) -> None:
    """Both have seen the dice; not measured, nobody waits for it."""
    for page in pages:
        seq = page.evaluate("shown")
        confirm = page.locator("#own button[value=confirm]:enabled")
        if not confirm.count():
            raise SystemExit("The game ended before all moves were made; ask for fewer.")
        page.locator("html:not([data-suspense])").wait_for(state="attached")  # before, it skips
        confirm.click()
        for each in pages:
            each.wait_for_function("seq => shown > seq", arg=seq, timeout=PATIENCE, polling=POLL)


if __name__ == "__main__":
    main()
