"""The keys of a table on other layouts: by place where a key says nothing that we know."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.boxes import Screens
from tests.e2e.player import Player
from tests.e2e.test_keys import at_an_opening
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
AZERTY = dict(zip("1234567890", "&é\"'(-è_çà", strict=True))  # what the row of digits writes there
CZECH = dict(zip("1234567890", "+ěščřžýáíé", strict=True))
RUSSIAN = {"d": "в", "c": "с", "a": "ф", "w": "ц", "p": "з"}
GREEK = {"d": "δ", "c": "ψ", "a": "α", "w": "ς", "p": "π"}


def press(page: Page, key: str, code: str) -> None:
    """What a keyboard sends whose layout has `key` at the place `code`."""
    protocol = page.context.new_cdp_session(page)
    for kind, text in (("keyDown", {"text": key}), ("keyUp", {})):
        protocol.send("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": code} | text)
    protocol.detach()


@pytest.mark.parametrize("layout", [AZERTY, CZECH])
def test_the_row_of_digits_composes_a_bid(
    unhurried_site: LiveSite, open_browser: OpenBrowser, layout: dict[str, str]
) -> None:
    page = at_an_opening(unhurried_site, open_browser).page
    number = page.get_by_label("Number of dice")
    for digit in "3456789":
        page.evaluate("document.activeElement.blur()")
        press(page, layout[digit], f"Digit{digit}")
        expect(number).to_have_value(digit)
    page.evaluate("document.activeElement.blur()")
    press(page, layout["1"], "Digit1")
    press(page, layout["0"], "Digit0")
    expect(number).to_have_value("10")
    expect(page.locator("#own [data-said] b")).to_have_text("10")
    page.evaluate("document.activeElement.blur()")
    press(page, "-", "NumpadSubtract")
    expect(number).to_have_value("9")


@pytest.mark.parametrize("layout", [RUSSIAN, GREEK])
def test_letters_of_other_alphabets_call(game_screens: Screens, layout: dict[str, str]) -> None:
    page = game_screens.context.new_page()
    peco = "window" in game_screens.tables
    calls = {"d": ".declare", "a": ".accuse"} if peco else {"d": ".dudo", "c": ".calza"}
    for letter, call in calls.items():
        game_screens.lead(page, "turn" if peco else "turn_with_calza", 6)
        page.wait_for_load_state("networkidle")
        press(page, layout[letter], f"Key{letter.upper()}")
        expect(page.locator(f"#own {call}")).to_be_focused()
    page.close()


def test_a_letter_counts_where_the_layout_has_it(game_screens: Screens) -> None:
    """On AZERTY, A is where Q is on others; ? is wherever it is."""
    page = game_screens.context.new_page()
    peco = "window" in game_screens.tables
    game_screens.lead(page, "turn" if peco else "turn_with_calza", 6)
    page.wait_for_load_state("networkidle")
    if peco:
        press(page, "q", "KeyA")
        expect(page.locator("#own .accuse")).not_to_be_focused()
        press(page, "a", "KeyQ")
        expect(page.locator("#own .accuse")).to_be_focused()
        press(page, "é", "Digit2")
        expect(page.locator("#own .hand input").nth(1)).to_be_checked()
    press(page, "?", "KeyM")
    expect(page.locator("#keys")).to_be_visible()
    page.close()
