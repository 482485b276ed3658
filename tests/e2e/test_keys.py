"""The keyboard at the table, its list, and the hints of the first times."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, play
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]


def at_an_opening(site: LiveSite, open_browser: OpenBrowser) -> Player:
    """Somebody who is to bid with every value open, and has touched nothing but the keyboard."""
    player = open_browser(site)
    player.play_now(bots=2)
    play(
        [player],
        until=lambda: player.my_turn and player.can("bid") and not player.can("dudo"),
    )
    player.page.reload()
    player.page.wait_for_load_state("networkidle")
    return player


def test_keys_compose_a_bid_and_say_it(unhurried_site: LiveSite, open_browser: OpenBrowser) -> None:
    player = at_an_opening(unhurried_site, open_browser)
    page, keyboard = player.page, player.page.keyboard
    number = page.get_by_label("Number of dice")
    held = page.locator("input[name=face]:checked")
    first = held.input_value()
    keyboard.press("ArrowRight")
    expect(held).not_to_have_value(first)
    keyboard.press("ArrowLeft")
    expect(held).to_have_value(first)
    keyboard.press("1")
    keyboard.press("2")
    expect(number).to_have_value("12")
    expect(page.locator("[data-said] b")).to_have_text("12")
    keyboard.press("ArrowUp")
    expect(number).to_have_value("13")
    keyboard.press("ArrowDown")
    keyboard.press("ArrowRight")
    before = player.seq
    keyboard.press("Enter")
    player.wait_for_newer(before)
    expect(page.locator(".bids li").first).to_contain_text("12×")


def test_a_number_nobody_typed_is_shown_before_it_is_bid(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = at_an_opening(unhurried_site, open_browser)
    number = player.page.get_by_label("Number of dice")
    most = number.get_attribute("max")
    before = player.seq
    for key in "99":
        player.page.keyboard.press(key)
    player.page.keyboard.press("Enter")
    expect(number).to_have_value(str(most))
    player.page.wait_for_timeout(300)
    assert player.seq == before


def test_dudo_wants_its_key_twice(unhurried_site: LiveSite, open_browser: OpenBrowser) -> None:
    player = open_browser(unhurried_site)
    player.play_now(bots=2)
    player.page.wait_for_load_state("networkidle")  # a key pressed before keys.js came is lost
    play([player], until=lambda: player.my_turn and player.can("dudo"))
    before = player.seq
    player.page.keyboard.press("d")
    expect(player.page.locator("#own button[value=dudo]")).to_be_focused()
    assert player.seq == before
    player.page.keyboard.press("d")
    player.wait_for_newer(before)
    assert player.phase == "reveal"


def test_single_keys_can_be_turned_off_for_good(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = at_an_opening(unhurried_site, open_browser)
    page, keyboard = player.page, player.page.keyboard
    keys = page.locator("#keys")
    keyboard.press("?")
    expect(keys).to_be_visible()
    keyboard.press("?")
    expect(keys).to_be_hidden()
    player.button("Keyboard shortcuts").click()
    expect(keys).to_be_visible()
    page.get_by_label("Enable keyboard shortcuts").uncheck()
    player.button("Close").click()
    for _ in range(2):
        least = page.get_by_label("Number of dice").input_value()
        keyboard.press("9")
        keyboard.press("?")
        expect(keys).to_be_hidden()
        expect(page.get_by_label("Number of dice")).to_have_value(least)
        page.reload()
        page.wait_for_load_state("networkidle")


def test_no_key_acts_while_somebody_writes(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = at_an_opening(unhurried_site, open_browser)
    page = player.page
    page.locator("#talk-panel").evaluate("(panel) => (panel.open = true)")
    text = page.locator("#talk-panel input[type=text], #talk-panel textarea").first
    if not text.is_visible():  # a quick game has no chat: show the field all the same
        page.evaluate("document.querySelector('.own-words').style.display = 'grid'")
    text.focus()
    least = page.get_by_label("Number of dice").input_value()
    page.keyboard.type("c3d?")
    expect(text).to_have_value("c3d?")
    expect(text).to_be_focused()
    expect(page.locator("#keys")).to_be_hidden()
    expect(page.get_by_label("Number of dice")).to_have_value(least)


def test_a_hint_is_given_once(unhurried_site: LiveSite, open_browser: OpenBrowser) -> None:
    player = open_browser(unhurried_site)
    player.play_now(bots=2)
    hints = player.page.locator("#hints")
    play([player], until=lambda: player.my_turn and player.can("bid"))
    first = hints.inner_text()
    assert first.strip()
    player.button("Hide this hint").click()
    expect(hints).to_be_hidden()
    player.page.reload()
    player.page.locator(".has-script").wait_for()
    assert hints.inner_text() != first


def test_a_hint_that_was_not_to_be_seen_is_given_later(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    player.play_now(bots=2)
    page = player.page
    play([player], until=lambda: player.my_turn and player.can("bid"))
    page.locator("#hints").evaluate("({ style }) => (style.display = 'none')")
    seq = player.seq
    play([player], until=lambda: player.seq > seq)
    assert page.evaluate("localStorage.getItem('table-hints')") is None
