"""A page that was open while the site was upgraded: it plays on with the new version."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import QUICK
from tests.e2e.player import PATIENCE, Player, is_over, play, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e


def test_a_page_from_before_an_upgrade_plays_on(
    new_site: Callable[..., LiveSite], open_browser: Callable[..., Player]
) -> None:
    """It comes back by itself after the restart; moves, keys, chat and rounds work on it."""
    site = new_site(**QUICK | {"DJANGO_SETTINGS_MODULE": "tests.upgrade.settings"})
    site.start()
    player = open_browser(site)
    player.play_now(bots=1)
    player.wait_for_turn()
    page = player.page
    page.context.add_cookies([{"name": "old_page", "value": "yes", "url": site.url}])
    page.reload()
    page.context.clear_cookies(name="old_page")
    page.evaluate("window.stayed = true")
    expect(page.get_by_text("The rules here: French rulebook")).to_be_visible()
    with player.expecting_errors():
        site.stop()
        expect(player.banner).to_contain_text("The connection dropped.")
        expect(player.banner).to_be_visible()
        site.start()
        expect(player.banner).to_be_hidden(timeout=PATIENCE * 1000)
    player.wait_for_turn()
    wait_for(lambda: player.shown_state() == player.state_on_fresh_page(), player)

    if player.can("bid"):
        before = player.seq
        page.keyboard.press("Enter")
        player.wait_for_newer(before)
    player.button("Good luck!").click()
    expect(page.locator("#talk li").first).to_contain_text("Good luck!")
    play([player], until=lambda: is_over(player))
    page.get_by_text("Earlier rounds").click()
    expect(page.locator("#story li").first).to_be_visible()
    wait_for(lambda: player.shown_state() == player.state_on_fresh_page(), player)
    assert page.evaluate("window.stayed"), "the page was reloaded"
    # It has no places for what is new; htmx says so, and goes on.
    player.errors[:] = [each for each in player.errors if "oobErrorNoTarget" not in each]
