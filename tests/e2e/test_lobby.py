"""The lobby on screens of all sizes, with no table, a few and many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.boxes import SIZES, arranged, resize
from tests.e2e.conftest import QUICK
from tests.e2e.player import Player
from tests.support.live_site import LiveSite

OpenBrowser = Callable[..., Player]

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# What sticks out of the page or its row, is too small for a finger, or lies over its neighbour.
FAULTS = """() => {
  const faults = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push(`the page is ${wide} px too wide`);
  const box = (element) => element.getBoundingClientRect();
  const say = (element) => element.textContent.trim();
  for (const row of document.querySelectorAll(".table-row")) {
    if (!row.checkVisibility()) continue; // it is folded away
    const press = row.querySelector(":scope > :is(a, button)");
    const name = row.querySelector(".sitters");
    const taken = row.querySelector(".seats-taken");
    for (const part of [row.querySelector("summary"), press])
      if (box(part).height < 44 || box(part).width < 44) faults.push(`${say(part)} is small`);
    if (box(press).left < 0 || box(press).right > innerWidth) faults.push("a button is outside");
    if (press.scrollWidth > press.clientWidth + 1) faults.push(`${say(press)} is cut off`);
    if (taken && box(taken).right > box(press).left && box(taken).bottom > box(press).top)
      faults.push("seats lie under a button");
    if (taken && box(name).right > box(taken).left + 1) faults.push("names lie under the seats");
    if (box(name).width < 60) faults.push(`names have ${box(name).width} px`);
  }
  const ways = ".way, #stage .answers button";
  for (const way of document.querySelectorAll(ways))
    if (box(way).height < 44 || box(way).right > innerWidth) faults.push(`${say(way)} has no room`);
  return [...new Set(faults)];
}"""


@pytest.fixture(scope="module", params=[0, 5, 30])
def lobby(
    request: pytest.FixtureRequest, prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[int, LiveSite]]:
    """A site with so many open tables."""
    count: int = request.param
    folder = tmp_path_factory.mktemp("lobby") / "site"
    site = LiveSite.of(prepared_folder, folder, **QUICK, OPEN_TABLES=str(count))
    arranged(site, "tests.e2e.arranged_lobby")
    site.start()
    yield count, site
    site.discard()


def faults(page: Page) -> dict[str, list[str]]:
    found = {}
    for size in (*SIZES, (1440, 900)):
        resize(page, size)
        if seen := page.evaluate(FAULTS):
            found[f"{size[0]}x{size[1]}"] = seen
    return found


@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_sticks_out_at_any_size(
    lobby: tuple[int, LiveSite], open_browser: OpenBrowser, language: str
) -> None:
    count, site = lobby
    visitor = open_browser(site, locale=language, color_scheme="dark")
    visitor.go("/")
    page = visitor.page
    assert page.locator(".table-row").count() == count
    assert faults(page) == {}
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.locator(".table-row details").evaluate_all("rows => rows.map((row) => row.open = true)")
    resize(page, (320, 568))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_thirty_tables_end_within_four_screens_of_a_phone(
    lobby: tuple[int, LiveSite], open_browser: OpenBrowser
) -> None:
    count, site = lobby
    visitor = open_browser(site, viewport={"width": 360, "height": 740})
    visitor.go("/")
    page = visitor.page
    if not count:
        expect(page.get_by_role("heading", name="Nobody is waiting")).to_be_visible()
        return
    # In one look, since the list may be swapped between two.
    boxes = page.evaluate(
        "[...document.querySelectorAll('.table-row')].filter((row) => row.checkVisibility())"
        ".map((row) => row.getBoundingClientRect().toJSON())"
    )
    assert {box["height"] for box in boxes} == {56}
    assert boxes[-1]["bottom"] <= 4 * 740  # the stage takes almost one
    first = page.locator(".table-row").first
    first.locator("summary").click()  # a tap on the row opens rules and people
    expect(first.locator(".people")).to_be_visible()
    assert page.evaluate(FAULTS) == []


def test_the_first_tab_stops_are_the_ways_to_play(
    lobby: tuple[int, LiveSite], open_browser: OpenBrowser
) -> None:
    visitor = open_browser(lobby[1])
    visitor.go("/")
    page = visitor.page
    while not page.locator("#stage .answers").count():  # a new site chooses a question at once
        page.wait_for_timeout(100)
        page.reload()
    page.locator("#main").focus()
    stops = []
    for _ in range(5):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate("document.activeElement.querySelector('b')?.textContent.trim() ?? ''")
        )
    assert stops[:2] in (["Dudo!", "Bid more"], ["A bluff!", "Play on"])  # on Sundays
    assert stops[2:] == ["Play with people", "Bots", "Friends"]
