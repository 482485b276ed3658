"""In colours of the reader's own, what is told by a background is told in another way too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page

from tests.e2e.boxes import Screens

pytestmark = pytest.mark.e2e

LOOK = """(element) => {
  const style = getComputedStyle(element);
  const names = ["background-color", "border-top-width", "border-top-style", "border-top-color",
                 "outline-style", "outline-width", "outline-color"];
  return names.map((name) => style.getPropertyValue(name)).join(" ");
}"""
# By state: what is marked, and what is not.
TOLD: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "perudo": {
        "turn": (
            (".face:has(:checked)", ".face:not(:has(:checked))"),
            (".seat.is-turn .seat-name", ".seat:not(.is-turn) .seat-name"),
        ),
        "last_die": ((".tally i:not(.lost)", ".tally i.lost"),),
        "out": ((".seat.is-out .seat-name", ".seat:not(.is-out, .is-turn) .seat-name"),),
    },
    "peco_peco": {
        "turn": (
            (".held:has(:checked)", ".held.is-playable:not(:has(:checked))"),
            (".held.is-playable:not(:has(:checked))", ".held:has(:disabled)"),
            (".seat.is-turn .seat-name", ".seat:not(.is-turn) .seat-name"),
        ),
    },
}


def look(part: Locator) -> str:
    found: str = part.first.evaluate(LOOK)
    return found


@pytest.fixture
def page(game_screens: Screens) -> Page:
    page = game_screens.context.new_page()
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    return page


def test_what_a_background_tells_is_told_in_forced_colours(
    game_screens: Screens, page: Page
) -> None:
    game = "peco_peco" if "window" in game_screens.tables else "perudo"
    for state, pairs in TOLD[game].items():
        game_screens.lead(page, state, 6)
        card = page.locator("#own .held.is-playable input")
        if card.count():
            card.first.check(force=True)
        page.evaluate("document.activeElement.blur()")
        for marked, plain in pairs:
            assert look(page.locator(marked)) != look(page.locator(plain)), (state, marked)
    page.close()


def test_the_chosen_tab_is_seen(game_screens: Screens, page: Page) -> None:
    page.goto(f"{game_screens.site.url}/?game=perudo")
    current = page.locator(".tabs a[aria-current]")
    assert look(current) != look(page.locator(".tabs a:not([aria-current])"))
    page.close()
