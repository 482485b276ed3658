"""A person is told on every page that a game waits for them, and not at the table that they see."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.player import PATIENCE, Player, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e


def badge(page: Page) -> str:
    """What the badge in the head says; "" while it is hidden."""
    found = page.locator(".inbox-badge")
    return found.locator("b").inner_text() if found.is_visible() else ""


def test_a_turn_is_told_to_the_page_in_view_and_goes_at_the_table(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site)
    address = player.play_now(bots=1)
    player.wait_for_turn()
    elsewhere = player.page.context.new_page()
    elsewhere.goto(f"{unhurried_site.url}/rules")
    expect(elsewhere.locator(".news")).to_be_hidden()
    player.page.goto("about:blank")  # the table is not in view any more
    news = elsewhere.locator(".news")
    expect(news).to_be_visible(timeout=PATIENCE * 1000)
    expect(news).to_contain_text("your turn at your table")
    expect(elsewhere.locator("#live")).to_contain_text("your turn")
    assert badge(elsewhere) == "1"
    news.get_by_role("button").click()
    expect(news).to_be_hidden()
    # The page of the inbox lists it, and marks it as read.
    elsewhere.locator(".inbox-badge").click()
    expect(elsewhere.locator(".lines a")).to_have_count(1)
    expect(elsewhere.locator(".inbox-badge")).to_be_hidden()
    elsewhere.locator(".lines a").click()
    assert elsewhere.url.endswith(address)
    assert badge(elsewhere) == ""


def test_a_hidden_page_closes_its_socket_and_is_current_when_it_is_seen_again(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site)
    page = player.page
    page.clock.install()
    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket))
    player.go("/account/login/")
    with page.expect_navigation():
        player.button("Play as a guest").click()
    page.goto(f"{unhurried_site.url}/rules")
    wait_for(lambda: is_live(page), player)
    hide(page, hidden=True)
    page.clock.fast_forward(61_000)
    wait_for(lambda: sockets[-1].is_closed(), player)
    assert is_live(page), "nothing is lost"
    count = len(sockets)
    hide(page, hidden=False)
    wait_for(lambda: len(sockets) > count, player)
    expect(page.locator("#banner")).to_be_hidden()
    assert len(sockets) == count + 1
    assert not sockets[-1].is_closed()


def test_a_hidden_table_of_a_player_keeps_its_socket(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site)
    page = player.page
    page.clock.install()
    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket))
    player.play_now(bots=1)
    wait_for(lambda: is_live(page), player)
    hide(page, hidden=True)
    page.clock.fast_forward(90_000)
    page.wait_for_timeout(1_000)
    assert not sockets[-1].is_closed(), "it plays a sound when it is their turn"


def is_live(page: Page) -> bool:
    """Whether a socket has brought its first message, and nothing is said to be lost."""
    return bool(page.evaluate("document.body.dataset.line") == "")


def hide(page: Page, *, hidden: bool) -> None:
    """What a browser tells a page whose tab comes to the back, or to the front."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )
