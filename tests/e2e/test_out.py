"""Out of the game: a new one at once, or straight to the ranking when only bots still play."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import GAME_PATIENCE, Player, is_over, wait_for, wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
SMALLEST = {"width": 320, "height": 568}


def lose(*players: Player) -> None:
    """Each bids as high as the control goes, time and again, until all are out."""

    def out(player: Player) -> bool:
        return player.page.locator("#own[data-out]").count() > 0

    def all_out() -> bool:
        for player in players:
            choices = player.choices
            if "confirm" in choices:
                player.choose("confirm")
            elif "bid" in choices:
                player.page.locator("#quantity").fill("30")
                player.choose("bid")
            elif "dudo" in choices:
                player.choose("dudo")
            else:
                assert not is_over(player), "the game ended before that"
        return all(map(out, players))

    wait_for(all_out, *players, patience=GAME_PATIENCE)


def test_who_is_out_against_bots_skips_to_the_ranking(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, viewport=SMALLEST)
    player.play_now(bots=5)
    expect(player.page.locator("details.leave")).to_be_visible()
    lose(player)
    expect(player.page.locator("details.leave")).to_be_hidden()
    player.page.evaluate("scrollTo(0, 0)")
    own = player.page.locator("#own")
    own.scroll_into_view_if_needed()
    for button in (player.button("New game"), player.button("Skip to the end")):
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= SMALLEST["width"], box
        assert box["height"] >= 44
    assert wider_than_screen(player.page) == []
    if folder := os.environ.get("SHOTS"):
        player.page.screenshot(path=f"{folder}/out.png")
    player.button("Skip to the end").click()
    player.page.locator(".ranking li").first.wait_for()
    assert len(player.ranking()) == 6
    expect(player.button("Rematch")).to_be_visible()


def test_who_is_out_against_bots_starts_a_new_game_at_once(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    old = player.play_now(bots=2)
    lose(player)
    player.button("New game").click()
    player.page.wait_for_url(lambda url: old not in url)
    assert player.address() != old
    expect(player.page.locator(".seat")).to_have_count(3)
    expect(player.hand.locator(".die")).to_have_count(5)
    player.go(old)
    player.page.locator(".ranking li").first.wait_for()


@pytest.mark.slow
def test_two_who_are_out_skip_when_both_have_agreed(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    ana, ben = open_browser(unhurried_site, "Oana"), open_browser(unhurried_site, "Oben")
    ana.register()
    ben.register()
    table = ana.open_table(seats=4)
    ben.sit(table)
    for free in range(2, 0, -1):
        expect(ana.page.locator(".seat.is-free")).to_have_count(free)
        ana.button("Medium", exact=True).click()
    expect(ana.page.locator(".seat.is-free")).to_have_count(0)
    ana.button("Start the game").click()
    for player in (ana, ben):
        player.wait_for_phase("turn")
    lose(ana, ben)
    ana.button("Skip to the end").click()
    expect(ben.page.locator("#own")).to_contain_text("1 of 2 agreed")
    expect(ana.button("Skip to the end")).to_have_count(0)
    assert not is_over(ana)
    ben.button("Skip to the end").click()
    for player in (ana, ben):
        player.page.locator(".ranking li").first.wait_for()
