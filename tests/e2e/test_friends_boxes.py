"""The lists of people that open over a table: measured by boxes, and without barriers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import SIZES, TWICE, Faults, Screens, larger_text, look, resize
from tests.e2e.player import SETTLED

pytestmark = pytest.mark.e2e

# What of these is not on the screen, whole and above everything else.
UNSEEN = """(needed) => needed.flatMap((one) => {
  const found = [...document.querySelectorAll(one)];
  return found.length ? found : [one];
}).filter((each) => {
  if (typeof each === "string") return true;
  const { left, right, top, bottom } = each.getBoundingClientRect();
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return !inside || !each.contains(there);
}).map((each) => each.outerHTML ?? each)"""
STICKS_OUT = """(sheet) => {
  const edge = sheet.getBoundingClientRect();
  return [...sheet.querySelectorAll("*")].filter((each) => {
    const { left, right } = each.getBoundingClientRect();
    return left < edge.left - 1 || right > edge.right + 1;
  }).map(({ outerHTML }) => outerHTML);
}"""


def opened(page: Page, sheet: str) -> None:
    resize(page, (1280, 720))
    page.evaluate("(id) => document.getElementById(id).showPopover()", sheet)
    page.locator(f"#{sheet}").evaluate(SETTLED)


def unseen(page: Page, needed: Sequence[str], what: str) -> Faults:
    found: Faults = {}
    for size in SIZES:
        resize(page, size)
        if told := page.evaluate(UNSEEN, [*needed]):
            found[f"{what}, {size}"] = told
    return found


def assert_nothing_sticks_out(page: Page, sheet: str) -> None:
    for pixels, alone in TWICE:
        for size in ((320, 568), (1280, 720)):
            resize(page, size)
            with larger_text(page, pixels=pixels, alone=alone):
                assert page.locator(f"#{sheet}").evaluate(STICKS_OUT) == [], (size, pixels, alone)


@pytest.mark.parametrize("game_screens", ["perudo", "peco_peco"], indirect=True, scope="module")
def test_whom_to_add_is_seen_at_once_after_a_game_of_few(game_screens: Screens) -> None:
    """With more people the list is scrolled in itself; nothing of it is lost."""
    found: Faults = {}
    state = next(each for each in ("over", "won") if each in game_screens.tables)
    fewest, most = min(game_screens.tables[state]), max(game_screens.tables[state])
    for language in ("fr", "it"):
        page = game_screens.go(language, state, fewest)
        opened(page, "strangers")
        found |= unseen(page, ("#strangers h2", "#strangers .people button"), language)
    assert found == {}
    page = game_screens.go("it", state, most)
    opened(page, "strangers")
    assert_nothing_sticks_out(page, "strangers")
    resize(page, (320, 568))
    last = page.locator("#strangers .people button").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    assert_accessible(page)


def test_whom_to_invite_is_seen_at_once(open_screens: Callable[..., Screens]) -> None:
    screens = open_screens("tests.e2e.arranged_rooms")
    found: Faults = {}
    for state, needs_list in (("perudo", True), ("peco_peco_full", False)):
        (seats,) = screens.tables[state]
        for language in ("fr", "it"):
            page = screens.go(language, state, seats)
            opened(page, "to-invite")
            people = ("#to-invite .people .with-avatar", "#to-invite .people button")
            needed = ("#to-invite h2", *(people if needs_list else ("#to-invite-list p",)))
            found |= unseen(page, needed, f"{state}, {language}")
        assert_nothing_sticks_out(page, "to-invite")
        assert_accessible(page)
    assert found == {}


def test_the_way_to_the_list_is_beside_what_starts_the_game(
    open_screens: Callable[..., Screens],
) -> None:
    screens = open_screens("tests.e2e.arranged_rooms")
    (seats,) = screens.tables["perudo"]
    page = screens.go("fr", "perudo", seats)
    for size in ((320, 568), (640, 360), (360, 740), (1280, 720)):
        resize(page, size)
        assert look(page, (".own .primary", ".own [popovertarget=to-invite]")) == [], size
