"""Draws docs/screenshots/*.webp anew from a real site: `.venv/bin/python -m tools.screenshots`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import django
from PIL import Image
from playwright.sync_api import sync_playwright

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.e2e.conftest import QUICK  # noqa: E402
from tests.e2e.player import Player, is_over, play  # noqa: E402
from tests.support.browser_fixtures import CHROMIUM_FLAGS, chromium  # noqa: E402
from tests.support.live_site import LiveSite, prepare  # noqa: E402

FOLDER = Path(__file__).parents[1] / "docs" / "screenshots"
# A whole desktop window, drawn smaller so that the files stay light; a phone as it is.
DESKTOP = {"viewport": {"width": 1280, "height": 800}, "device_scale_factor": 0.7}
PHONE = {"viewport": {"width": 360, "height": 740}}
MOST_BYTES = 200_000


def draw(player: Player, file: Path) -> None:
    player.page.keyboard.press("Escape")  # a reveal stands at its end
    player.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    picture = Image.open(BytesIO(player.page.screenshot(animations="disabled")))
    picture.convert("RGB").save(file, quality=82, method=6)
    size = file.stat().st_size
    print(f"{file.name}: {size // 1000} KB")
    if size > MOST_BYTES:
        sys.exit(f"{file} is larger than {MOST_BYTES // 1000} KB.")


def play_dice(arrive: Callable[..., Player], to: Path) -> None:
    """Two people and two bots; the dice fall as they fall, the names stay."""
    ana, bruno = arrive("Ana"), arrive("Bruno")
    ana.register()
    bruno.register()
    table = ana.open_table(calza=True)
    bruno.sit(table)
    watcher = arrive("Watcher")
    watcher.go("/")
    draw(watcher, to / "home.webp")
    for level in ("Medium", "Hard"):
        ana.page.get_by_role("button", name=level, exact=True).click()
    ana.button("Start the game").click()
    play([ana, bruno], until=lambda: ana.my_turn and ana.can("bid") and ana.can("dudo"))
    draw(ana, to / "table.webp")
    pocket = arrive("Ana", **PHONE, storage_state=ana.page.context.storage_state())
    pocket.go(table)
    draw(pocket, to / "phone.webp")
    ana.choose("dudo")
    draw(ana, to / "reveal.webp")
    play([ana, bruno], until=lambda: is_over(ana) and is_over(bruno))
    draw(ana if ana.ranking()[0] == "Ana" else bruno, to / "end.webp")
    ana.go(f"{table}/replay/3")
    draw(ana, to / "replay.webp")


def play_cards(arrive: Callable[..., Player], to: Path) -> None:
    """A guest and three bots, on a desktop and on a phone."""
    for name, options in (("cards", DESKTOP), ("cards-phone", PHONE)):
        guest = arrive("Guest", **options)
        guest.go("/bots")
        offer = guest.game_card("Peco Peco")
        offer.get_by_label("Opponents").select_option("3")
        offer.get_by_role("button", name="Play now").click()
        guest.page.locator("#own.is-turn").wait_for(timeout=60_000)
        draw(guest, to / f"{name}.webp")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=FOLDER)
    to = parser.parse_args().to
    to.mkdir(exist_ok=True)
    found = chromium() or sys.exit("No Chromium here.")
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name) / "data"
        prepare(folder)
        site = LiveSite(folder, **QUICK | {"TURN_SECONDS": "45"})
        browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)

        def arrive(person: str, **options: Any) -> Player:
            context = browser.new_context(color_scheme="light", **(options or DESKTOP))
            return Player(context.new_page(), site.url, person)

        try:
            site.start()
            play_dice(arrive, to)
            play_cards(arrive, to)
        finally:
            site.kill()
            browser.close()


if __name__ == "__main__":
    main()
