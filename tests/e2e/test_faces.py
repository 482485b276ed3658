"""A face of one's own: chosen with the keyboard, then at the seat, and moved by what is said."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e


def test_a_face_is_chosen_with_the_keyboard_and_sits_at_the_table(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Fabiola")
    player.register()
    player.go("/account/")
    page = player.page
    page.get_by_role("radio", name="From my name").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Puma")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")  # round to the last
    expect(page.get_by_role("radio", name="Night blue")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Settings saved.")).to_be_visible()
    expect(page.get_by_role("radio", name="Puma")).to_be_checked()

    player.open_table(seats=2)
    face = page.locator(".seat > .avatar").first
    expect(face).to_have_class(re.compile("is-night"))
    expect(face.locator("use").first).to_have_attribute("href", re.compile("#puma$"))
    player.button("Easy", exact=True).click()
    expect(page.locator(".seat > svg.avatar")).to_have_count(2)
    player.button("Start the game").click()
    expect(page.locator(".seat > svg.avatar")).to_have_count(2)


def test_a_message_rises_from_the_seat_and_its_face_hops(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Felipe", reduced_motion="no-preference")
    player.register()
    player.open_table(seats=2)
    page = player.page
    page.get_by_role("button", name="Ha ha!").click()
    expect(page.locator(".seat .bubble")).to_have_text("Ha ha!")
    names = page.evaluate("document.getAnimations().map((each) => each.animationName)")
    assert {"rise-up", "hop"} <= set(names)
    page.emulate_media(reduced_motion="reduce")
    still = page.evaluate("document.getAnimations().map((each) => each.animationName)")
    assert not {"rise-up", "hop", "call-on", "look-up"} & set(still)
