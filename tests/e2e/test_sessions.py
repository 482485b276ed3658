"""A page whose session is no longer the one it was made for says so and loads itself again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, wait_for
from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite
from tests.support.stalling_proxy import StallingProxy, proxy_to

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
TOLD = "Your sign-in had changed, so this page was reloaded."
NEW = "another pot of dice"
_numbers = count()


@pytest.fixture
def line(unhurried_site: LiveSite) -> Iterator[StallingProxy]:
    with proxy_to(unhurried_site.port) as line:
        yield line


def name() -> str:
    return f"Elsewhere-{next(_numbers)}"


def member(site: LiveSite, open_browser: OpenBrowser, *, by_post: bool = False) -> Player:
    """A member at a table with a bot, to whom it is to move, and who writes a message."""
    player = open_browser(site, name())
    if by_post:
        player.move_by_post()
    player.register()
    begins(player)
    return player


def begins(player: Player) -> None:
    table = player.open_table(seats=2)
    player.post(f"{table}/add-bot", kind="steady")
    player.post(f"{table}/start")
    player.wait_for_turn()
    if not player.page.locator("#talk-panel[open]").count():
        player.page.locator("#talk-panel > summary").click()
    player.page.get_by_label("Message the table").fill("Half a message")


def reloads(player: Player) -> None:
    """The page says what happened, and is the page of this moment's session."""
    expect(player.page.locator("#notice")).to_contain_text(TOLD, timeout=15_000)
    expect(player.banner).to_be_hidden()


def still_plays(player: Player) -> None:
    expect(player.page.get_by_label("Message the table")).to_have_value("Half a message")
    before = player.seq
    player.page.locator("#own button[value=dudo], #own button[value=bid]").first.click()
    player.wait_for_newer(before)


def signs_in(player: Player, password: str = PASSWORD) -> None:
    assert player.post("/account/login/", login=player.name, password=password) == "/"


def test_signing_out_and_in_again_elsewhere(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """As by a browser whose tabs know nothing of each other."""
    player = member(unhurried_site, open_browser)
    player.post("/account/logout/")
    reloads(player)
    expect(player.link("Sign in").first).to_be_visible()
    assert player.page.locator("#own[data-seat]").count() == 0
    signs_in(player)
    player.page.reload()
    player.page.locator("#own[data-seat]").wait_for()


def test_a_new_password_elsewhere(unhurried_site: LiveSite, open_browser: OpenBrowser) -> None:
    player = member(unhurried_site, open_browser)
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    player.post("/account/password/change/", **form)
    reloads(player)
    still_plays(player)


def test_a_guest_who_becomes_an_account_elsewhere(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    player.play_now(bots=1)
    begins(player)
    form = {"username": name(), "password1": NEW}
    player.post("/account/keep", **form)
    reloads(player)
    expect(player.page.locator(".hint", has_text="guest")).to_have_count(0)
    still_plays(player)


def test_a_page_that_slept_meanwhile(
    unhurried_site: LiveSite, open_browser: OpenBrowser, line: StallingProxy
) -> None:
    """Its socket heard nothing of the end of the session; the next one is another session's."""
    player = open_browser(unhurried_site, name())
    player.site = line.url
    player.register()
    begins(player)
    line.stall()
    player.post("/account/logout/")
    signs_in(player)
    player.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    reloads(player)
    still_plays(player)


def test_a_move_with_the_token_of_another_session(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    # Over a socket no token is asked for: its own session is.
    player = member(unhurried_site, open_browser, by_post=True)
    player.page.context.clear_cookies(name="csrftoken")
    with player.expecting_errors():
        player.page.locator("#own button[value=dudo], #own button[value=bid]").first.click()
        reloads(player)
    still_plays(player)


def test_pages_without_a_socket_hear_it_from_the_other_tab(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, name())
    player.register()
    player.go("/account/")
    other = Player(player.page.context.new_page(), unhurried_site.url, player.name)
    other.go("/account/logout/")
    other.page.locator("main").get_by_role("button", name="Sign out").click()
    expect(player.page).to_have_url(re.compile("/account/login/"), timeout=15_000)
    expect(player.page.locator("#notice")).to_contain_text(TOLD)
    wait_for(lambda: "/account/login/" in player.page.url, player)
    assert other.errors == []
