"""A phone held in one hand: a turn without scrolling, nothing wider than the screen.

What a table shows in play and at its end in other languages, test_boxes.py measures.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Locator

from tests.e2e.player import Player, is_over, play, wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

PHONE = {"width": 360, "height": 740}
SMALL = {"width": 320, "height": 640}
THUMB = 44  # CSS pixels

UNCOVERED = """(element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return element.contains(top) || top.contains(element);
}"""

# Whether the fade at the end of each name, as wide as its padding, lies over its letters.
FADED = """(names) => names.filter((name) => name.checkVisibility()).map((name) => {
  const letters = document.createRange();
  letters.selectNodeContents(name);
  const fade = getComputedStyle(name).maskImage.match(/100% - ([\\d.]+)px/)?.[1] ?? 0;
  return letters.getBoundingClientRect().right > name.getBoundingClientRect().right - fade + 0.5;
})"""


def fits(player: Player) -> None:
    for size in (SMALL, PHONE):
        player.page.set_viewport_size(size)
        at = f"{player.page.url} at {size['width']} px"
        assert player.page.evaluate("document.documentElement.clientWidth") == size["width"], at
        assert wider_than_screen(player.page) == [], at


def fits_in_every_language(player: Player, path: str) -> None:
    """Words are longer elsewhere; ends in English again."""
    for language, _ in reversed(settings.LANGUAGES):
        player.page.context.set_extra_http_headers({"Accept-Language": language})
        player.go(path)
        assert player.page.locator("html").get_attribute("lang") == language
        fits(player)


def box(element: Locator) -> dict[str, float]:
    found = element.bounding_box()
    assert found is not None, f"{element} is not on the page"
    return dict(found)


def in_reach(player: Player, element: Locator) -> None:
    """Wholly on the screen of a page that is not scrolled, and nothing lies over its middle."""
    at = box(element)
    assert at["y"] >= 0 and at["y"] + at["height"] <= PHONE["height"], f"{element}: {at}"
    assert at["x"] >= 0 and at["x"] + at["width"] <= PHONE["width"], f"{element}: {at}"
    assert element.evaluate(UNCOVERED), f"something lies over {element}"


def for_a_thumb(element: Locator) -> None:
    at = box(element)
    assert min(at["width"], at["height"]) >= THUMB, f"{element}: {at}"


def test_a_turn_is_played_without_scrolling(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, viewport=PHONE, has_touch=True, is_mobile=True)
    player.play_now(bots=5)
    play([player], until=lambda: player.my_turn and player.can("bid") and player.can("dudo"))
    page = player.page
    page.evaluate("scrollTo(0, 0)")
    controls = [page.locator("#own .face").nth(number) for number in range(6)]
    controls += [player.button("Bid"), player.button("Dudo!"), page.get_by_label("Number of dice")]
    controls += [player.button("One more die"), player.button("One fewer die")]
    for control in controls:
        for_a_thumb(control)
    shown = [page.locator(".my-dice"), page.locator(".bid"), page.locator(".clock").first]
    shown += [page.locator(".seat").nth(number) for number in range(1, 6)]
    open_faces = [face for face in controls[:6] if face.locator("input:enabled").count()]
    for element in [*open_faces, *controls[6:8], *shown]:
        in_reach(player, element)
    for_a_thumb(player.button("Menu"))
    fits(player)

    page.set_viewport_size(PHONE)
    assert player.choose("dudo")
    confirm = page.locator("#own button[value=confirm]")
    for_a_thumb(confirm)
    page.keyboard.press("Escape")
    page.evaluate("scrollTo(0, 0)")  # Playwright scrolled to the button it pressed
    for element in [confirm, *(page.locator(".seat").nth(number) for number in range(1, 6))]:
        in_reach(player, element)
    fits(player)


def test_a_name_that_fits_loses_no_letter(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    """A longer one fades out at the end of its plate; the fade begins behind one that fits."""
    player = open_browser(unhurried_site, viewport=PHONE)
    player.play_now(bots=3)
    player.wait_for_turn()
    faded = player.page.locator(".seat-name > :first-child").evaluate_all(FADED)
    assert faded == [False] * 3


@pytest.mark.slow
def test_no_page_is_wider_than_a_phone(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "A-name-of-20-letters", viewport=PHONE, is_mobile=True)
    rules = ("/rules", "/rules/perudo", "/rules/perudo/fair")
    for path in ("/", *rules, "/account/login/", "/account/signup/"):
        fits_in_every_language(player, path)
    player.register()
    for path in ("/account/", "/games/new"):
        fits_in_every_language(player, path)
    player.page.get_by_role("radio", name="Custom").check()
    player.page.locator("summary").first.click()
    fits(player)
    table = player.open_table(calza=True, seats=2)
    fits_in_every_language(player, table)
    player.button("Hard", exact=True).click()
    player.button("Start the game").click()
    player.wait_for_turn()
    fits(player)
    play([player], until=lambda: is_over(player))
    fits(player)
    for path in (f"{table}/replay", f"{table}/replay/2", f"/players/{player.name}", "/"):
        fits_in_every_language(player, path)
