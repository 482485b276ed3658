"""Without JavaScript: pages read, forms post, and the site says what needs a script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player
from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e


def test_a_round_is_played_without_a_script(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Plain", java_script_enabled=False)
    page = player.page
    player.go("/")
    expect(page.locator("main noscript p")).to_contain_text(
        "this list doesn't update automatically"
    )
    player.register_by_form()
    player.button("Sign out").click()
    player.link("Sign in").click()
    page.get_by_label("Name").fill("Plain")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    player.button("Sign in").click()
    player.link("Friends with one link").click()
    page.get_by_label("Seats", exact=True).select_option("2")
    player.button("Create the table").click()
    expect(page.locator("main noscript p")).to_contain_text(
        "the table doesn't update automatically"
    )
    player.button("Easy", exact=True).click()
    player.button("Start the game").click()
    expect(player.hand.locator(".die")).to_have_count(5)

    reload_until(player, "bid")
    needless = page.locator(".step, .said-preview")
    expect(needless).to_have_count(3)
    for each in needless.all():
        expect(each).to_have_css("display", "none")  # takes no room either
    open_face = page.locator(".face").filter(has=page.locator("input:enabled")).first
    open_face.click()
    chosen = open_face.locator("input")
    expect(chosen).to_be_checked()
    least, face = chosen.get_attribute("data-min"), chosen.get_attribute("value")
    page.get_by_label("Number of dice").fill(str(least))
    player.button("Bid").click()
    mine = page.locator(".bids li[data-seat='0']").last
    drawn = re.compile(rf"^/static/perudo/dice\.\w+\.svg#die-{face}$")
    expect(mine.locator("use")).to_have_attribute("href", drawn)
    expect(mine.locator(".bid-small")).to_contain_text(f"{least}×")

    reload_until(player, "dudo")
    ribbon = page.locator(".ribbon .mark").first
    before = ribbon.inner_text()
    player.button("Dudo!").click()
    expect(page.locator(".verdict .right")).to_be_visible()
    player.button("Continue").click()
    expect(ribbon).not_to_have_text(before)


def reload_until(player: Player, *wanted: str) -> None:
    """Reloads, as the page says, until one of these can be done; plays on to there."""
    for _ in range(100):
        if any(player.can(do) for do in wanted):
            return
        if player.can("confirm"):
            player.button("Continue").click()
        elif player.can("bid"):
            player.button("Bid").click()
        player.page.wait_for_timeout(100)
        player.page.reload()
    raise AssertionError(f"{wanted} was never to be done")


def test_a_refusal_is_a_sentence_on_the_page(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, java_script_enabled=False)
    player.play_now(bots=1)
    reload_until(player, "bid")
    page = player.page
    # An old tab: the move makes what it shows out of date.
    old = page.context.new_page()
    old.goto(page.url)
    player.button("Bid").click()
    expect(page.locator(".bids li[data-seat='0']")).not_to_have_count(0)
    Player(old, player.site).button("Bid").click()
    expect(old.locator(".message.error")).to_be_visible()
