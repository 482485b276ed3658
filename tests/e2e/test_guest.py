"""A visitor plays at once, and can keep the games played."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, is_over, play
from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e


def test_a_stranger_plays_at_once_and_keeps_the_game(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    guest = open_browser(unhurried_site)
    guest.go("/")
    guest.link("Bots").click()
    start = guest.game_card().get_by_role("button", name="Play now")
    start.click()  # the second click between the home page and the table
    guest.address()
    expect(guest.hand.locator(".die")).to_have_count(5)
    expect(guest.page.locator(".seat")).to_have_count(4)

    table = guest.play_now_by_form(bots=1)
    play([guest], until=lambda: guest.my_turn and guest.can("bid"))
    guest.page.locator(".face").filter(has_text="or more").first.click()
    quantity = guest.page.get_by_label("Number of dice")
    higher = int(quantity.input_value()) + 1
    guest.button("One more die").click()
    expect(quantity).to_have_value(str(higher))
    assert guest.choose("bid")

    guest.go("/")
    guest.link("Keep this game: make an account").click()
    guest.page.get_by_label("Name").fill("Kept")
    guest.page.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.button("Save my account").click()
    expect(guest.page.get_by_text("Account saved. Your games have been kept.")).to_be_visible()

    guest.go(table)
    expect(guest.page.locator("#own")).to_have_attribute("data-seat", "0")
    play([guest], until=lambda: is_over(guest))
    guest.go("/players/Kept")
    expect(guest.page.locator(f"a.played-game[href^='{table}/replay']")).to_be_visible()
    expect(guest.page.locator(".stats dd").first).to_have_text("1")
