"""A page stands still from its first paint on: what scripts know later has its place before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.e2e.boxes import Screens, larger_text, look, resize

pytestmark = pytest.mark.e2e

SCREENS: Sequence[ViewportSize] = ({"width": 360, "height": 740}, {"width": 1280, "height": 720})
# What fonts may move on a busy machine; a hint of 38 px was 0.03 to 0.1.
MOST_SHIFT = 0.02
SHIFTS = """() => new Promise((told) => {
  const found = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      found.push([value, sources.map(({ node }) => `${node?.nodeName} ${node?.className}`)]);
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(told, 1000, found);
})"""
READ = """() => localStorage.setItem(
  "table-hints", [...document.querySelectorAll("#hints [data-when]")].map(({ id }) => id).join(" "),
)"""
HAS_PLACE = "() => document.getElementById('hints').getClientRects().length"


def shifts(page: Page) -> list[tuple[float, list[str]]]:
    """What moved since the page was asked for; nothing if that was next to nothing."""
    found: list[tuple[float, list[str]]] = page.evaluate(SHIFTS)
    return found if sum(value for value, _ in found) > MOST_SHIFT else []


def opened(screens: Screens, screen: ViewportSize, state: str, seats: int) -> Page:
    """A table in a browser that was never here."""
    path, key = screens.tables[state][seats]
    browser = screens.context.browser
    assert browser is not None
    context = browser.new_context(viewport=screen, service_workers="block")
    context.add_cookies([{"name": "sessionid", "value": key, "url": screens.site.url}])
    page = context.new_page()
    page.goto(f"{screens.site.url}{path}")
    return page


@pytest.mark.parametrize("state", ["turn", "over"])
def test_nothing_moves_when_a_table_is_opened(game_screens: Screens, state: str) -> None:
    """The first time, and once all hints have been read: then they leave no hole either."""
    found = {}
    for seats in {min(game_screens.tables[state]), max(game_screens.tables[state])}:
        for screen in SCREENS:
            page = opened(game_screens, screen, state, seats)
            found[f"{seats} seats, {screen}"] = shifts(page)
            assert page.evaluate(HAS_PLACE)
            page.evaluate(READ)
            page.reload()  # this page learns it
            page.reload()
            found[f"{seats} seats, {screen}, read"] = shifts(page)
            assert not page.evaluate(HAS_PLACE)
            page.context.close()
    assert {where: moved for where, moved in found.items() if moved} == {}


def test_nothing_moves_on_the_pages_around_it(game_screens: Screens) -> None:
    """What moves only once is a page that a busy machine painted when it was half read."""
    found = {}
    seats = max(game_screens.tables["over"])
    table, _ = game_screens.tables["over"][seats]
    # The fourth moment begins a round: where a move is judged, its card comes with the script.
    around = ("/", "/daily", "/bots", "/learn", "/rules", f"{table}/replay", f"{table}/replay/4")
    for screen in SCREENS:
        left: Sequence[str] = around
        for _ in range(2):
            page = opened(game_screens, screen, "over", seats)
            moved = {}
            for address in left:
                page.goto(f"{game_screens.site.url}{address}")
                moved[address] = shifts(page)
            page.context.close()
            left = tuple(address for address in left if moved[address])
        found |= {f"{address}, {screen}": moved[address] for address in left}
    assert found == {}


NEXT = (
    ".winners .avatar",
    ".ending > .winner",
    ".ended",
    ".frames a",
    ".after .primary",
    ".after .share-opener",
)
WINNER = "document.querySelector('.winners .avatar').getBoundingClientRect().width"


def test_what_to_do_next_is_seen_with_larger_text(game_screens: Screens) -> None:
    """On a desktop, with text a third larger, the end of a game needs no scrolling."""
    found = {}
    for seats in {min(game_screens.tables["over"]), max(game_screens.tables["over"])}:
        page = game_screens.go("fr", "over", seats)
        resize(page, (1280, 720))
        with larger_text(page, pixels=21, alone=False):
            if told := look(page, NEXT):
                found[f"{seats} seats"] = told
    assert found == {}


@pytest.mark.parametrize(("size", "least"), [((390, 844), 90), ((1280, 720), 150)])
def test_who_has_won_is_the_largest_thing_to_see(
    game_screens: Screens, size: tuple[int, int], least: int
) -> None:
    """And larger where there is more room: the one who has won, not one of several."""
    for seats in game_screens.tables["over"]:
        page = game_screens.go("en", "over", seats)
        resize(page, size)
        assert page.evaluate(WINNER) >= least, seats


WOOD = "document.querySelector('.wood').getBoundingClientRect().height"


def test_who_is_out_has_a_larger_table_on_a_phone(game_screens: Screens) -> None:
    heights = {}
    for state in ("turn", "out"):
        page = game_screens.go("en", state, 6)
        heights[state] = page.evaluate(WOOD)
    assert heights["out"] > 1.2 * heights["turn"], heights
