"""A table on which nothing happens costs nothing: what moves on it comes to an end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.boxes import Screens

pytestmark = pytest.mark.e2e

LONGEST_MS = 7_000  # of what moves without anybody's doing; a reveal takes six seconds at most
# Notes what moves: what has ended before anybody asks, too.
NOTES_MOVES = """
window.moved = [];
window.moving = () => document.getAnimations({ subtree: true }).map(({ effect, animationName }) =>
  [animationName ?? "script", effect.target?.className?.baseVal ?? effect.target?.className,
   Math.min(effect.getComputedTiming().endTime, 1e9)]);
for (const event of ["animationstart", "transitionrun"])
  addEventListener(event, () => { moved.push(...moving()); }, true);"""


def moves(page: Page, which: str) -> list[tuple[str, str, float]]:
    """The animations that run, or have run: the name, what it moves, when it ends in ms."""
    found: list[tuple[str, str, float]] = page.evaluate(which)
    return found


def test_what_moves_on_a_table_comes_to_an_end_in_every_state(
    game_screens: Screens, browser: Browser
) -> None:
    context = browser.new_context(
        reduced_motion="no-preference",
        service_workers="block",
        viewport={"width": 1280, "height": 800},
    )
    context.add_init_script(NOTES_MOVES)
    page = context.new_page()
    seen = 0
    for state, tables in game_screens.tables.items():
        path, key = tables[max(tables)]
        url = game_screens.site.url
        context.add_cookies([{"name": "sessionid", "value": key, "url": url}])
        page.goto(f"{url}{path}")
        for name, of, ends in moves(page, "[...moved, ...moving()]"):
            assert ends <= LONGEST_MS, (state, name, of)
            seen += 1
    assert seen > 10
    path, key = game_screens.tables["turn"][4]
    context.add_cookies([{"name": "sessionid", "value": key, "url": game_screens.site.url}])
    page.goto(f"{game_screens.site.url}{path}")
    page.wait_for_function("() => moved.length")  # a turn that has just begun moves
    page.wait_for_timeout(LONGEST_MS)
    assert moves(page, "moving()") == []
    context.close()
