"""What Lighthouse says of the real site on a phone: `lab/.venv/bin/python -m lab.lighthouse`.

Starts the site in a data folder of its own, plays one game to its end and another into a turn, then
judges the pages in a real Chromium and writes the table into docs/performance.md. Lighthouse comes
from npm once, into a cache folder outside the project; the site itself never needs it. With
`--keep FOLDER` the full reports stay there as JSON.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import django
from playwright.sync_api import sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.e2e.conftest import QUICK  # noqa: E402
from tests.e2e.player import Player, is_over, play  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402
from tests.support.live_site import LiveSite, free_port, prepare  # noqa: E402

VERSION = "12.8.2"  # 13 wants a newer Node than Debian's
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
GOAL = 95  # of 100, in each category
TRIES = 3
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "perudo-lighthouse"
REPORT = Path(__file__).parent.parent / "docs/performance.md"
COMMAND = "lab/.venv/bin/python -m lab.lighthouse"


def lighthouse() -> Path:
    """The program, fetched by npm the first time."""
    program = CACHE / VERSION / "node_modules/lighthouse/cli/index.js"
    if not program.exists():
        folder = CACHE / VERSION
        folder.mkdir(parents=True, exist_ok=True)
        npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run([*npm, f"lighthouse@{VERSION}"], cwd=folder, check=True)  # noqa: S603
    return program


def judge(url: str, *, port: int, folder: Path, listed: bool) -> dict[str, Any]:
    """One report on one page, in the browser that listens on the port, with its cookies.

    `listed`: search engines may list the page; robots.txt keeps them out of tables on purpose.
    """
    out = folder / "report.json"
    command = ["node", str(lighthouse()), url, f"--port={port}", "--disable-storage-reset"]
    command += [f"--only-categories={','.join(CATEGORIES)}", "--output=json", "--quiet"]
    command += [f"--output-path={out}", *([] if listed else ["--skip-audits=is-crawlable"])]
    for left in reversed(range(TRIES)):  # now and then it misses the start of a page
        if subprocess.run(command, check=not left).returncode == 0:  # noqa: S603
            break
    report: dict[str, Any] = json.loads(out.read_text())
    return report


def score(report: dict[str, Any], category: str) -> int:
    return round(report["categories"][category]["score"] * 100)


def complaints(report: dict[str, Any]) -> list[str]:
    """What costs points, for fixing it."""
    audits = report["audits"]
    return [
        f"{category}: {ref['id']} {audits[ref['id']].get('displayValue', '')}".rstrip()
        for category in CATEGORIES
        for ref in report["categories"][category]["auditRefs"]
        if ref["weight"] and (scored := audits[ref["id"]]["score"]) is not None and scored < 0.9
    ]


def row(name: str, reports: list[dict[str, Any]]) -> str:
    scores = [str(round(median(score(r, category) for r in reports))) for category in CATEGORIES]

    def middle(audit: str) -> float:
        return median(r["audits"][audit]["numericValue"] for r in reports)

    measured = [
        f"{middle('first-contentful-paint') / 1000:.1f} s",
        f"{middle('largest-contentful-paint') / 1000:.1f} s",
        f"{middle('total-blocking-time'):.0f} ms",
        f"{middle('cumulative-layout-shift'):.3f}",
        f"{middle('total-byte-weight') / 1000:.0f} KB",
    ]
    return f"| {' | '.join([name, *scores, *measured])} |"


def write(rows: list[str], file: Path, *, browser: str, runs: int) -> None:
    """Replaces the section Lighthouse of the report and leaves the rest of it alone."""
    today = datetime.datetime.now(datetime.UTC).date()
    section = "\n".join(
        [
            "## Lighthouse",
            "",
            f"{today}, Lighthouse {VERSION}, {browser}, its own preset of a phone (simulated slow",
            f"4G, processor four times slower), median of {runs}, each page with an empty cache,",
            f"the site on the same machine over plain HTTP/1.1: `{COMMAND}`. That robots.txt keeps",
            "search engines out of tables and replays is not counted.",
            "",
            "| page | performance | accessibility | best practices | SEO "
            "| first paint | largest paint | blocked | shift | weight |",
            "|---|---|---|---|---|---|---|---|---|---|",
            *rows,
            "",
        ]
    )
    text = file.read_text() if file.exists() else "# Performance\n"
    before, _, after = text.partition("## Lighthouse\n")
    rest = re.search(r"^## .*", after, re.MULTILINE | re.DOTALL)
    parts = [before.rstrip() + "\n", section, *([rest[0]] if rest else [])]
    file.write_text("\n".join(parts))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=3, help="reports on each page")
    arguments.add_argument("--goal", type=int, default=GOAL, help="less is an error")
    arguments.add_argument("--report", type=Path, default=REPORT, help="where the table goes")
    arguments.add_argument("--only", nargs="+", default=[], help="these pages of the table")
    arguments.add_argument("--keep", type=Path, help="where the reports stay")
    asked = arguments.parse_args()
    found = chromium() or sys.exit("No Chromium here.")
    port = free_port()
    rows, below = [], []
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        prepare(folder / "data")
        site = LiveSite(folder / "data", **QUICK)
        site.start()
        browser = playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=found,
            args=[*CHROMIUM_FLAGS, f"--remote-debugging-port={port}"],
            service_workers="block",  # it would answer for the network
        )
        player = Player(browser.new_page(), site.url)
        tool = browser.new_cdp_session(player.page)
        try:

            def look(what: str, path: str, *, listed: bool = True) -> None:
                if asked.only and what not in asked.only:
                    return
                reports = []
                for number in range(asked.runs):
                    tool.send("Network.clearBrowserCache")
                    report = judge(f"{site.url}{path}", port=port, folder=folder, listed=listed)
                    reports.append(report)
                    if asked.keep:
                        asked.keep.mkdir(parents=True, exist_ok=True)
                        kept = asked.keep / f"{what.replace(' ', '-')}-{number}.json"
                        kept.write_text(json.dumps(report))
                rows.append(row(what, reports))
                print(rows[-1], flush=True)
                for complaint in dict.fromkeys(c for r in reports for c in complaints(r)):
                    print(f"    {complaint}", flush=True)
                for category in CATEGORIES:
                    if (middle := median(score(r, category) for r in reports)) < asked.goal:
                        below.append(f"{what}: {category} {middle}")

            played = player.play_now(bots=2)
            play([player], until=lambda: is_over(player))
            running = player.play_now(bots=5)
            play(
                [player], until=lambda: player.my_turn and player.can("bid") and player.can("dudo")
            )
            player.page.goto("about:blank")  # the table is seen by one page at a time
            look("table", running, listed=False)
            look("replay", f"{played}/replay/3", listed=False)
            player.go("/bots")
            player.game_card("Peco Peco").get_by_role("button", name="Play now").click()
            cards = player.address()
            player.page.goto("about:blank")
            look("table of Peco Peco", cards, listed=False)
            player.go(cards)
            player.page.locator("summary", has_text="Leave the game").click()
            player.button("Leave game").click()  # which ends it, since only bots are left
            player.page.wait_for_url(f"{site.url}/")
            player.page.goto("about:blank")
            look("replay of Peco Peco", f"{cards}/replay/3", listed=False)
            browser.clear_cookies()  # from here on as a stranger
            look("home", "/")
            for game in ("perudo", "peco_peco"):
                look(f"rules of {game}", f"/rules/{game}")
                look(f"tutorial of {game}", f"/learn/{game}")
            look("fair dice", "/rules/perudo/fair")
            version = subprocess.check_output([found, "--version"], text=True)  # noqa: S603
        finally:
            site.kill()
            browser.close()
    write(rows, asked.report, browser=" ".join(version.split()[:2]), runs=asked.runs)
    if below:
        sys.exit(f"Below {asked.goal}: {'; '.join(below)}.")


if __name__ == "__main__":
    main()
