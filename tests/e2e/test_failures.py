"""An action that fails says so: at a table, in the chat, on any form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http import HTTPStatus

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.player import Player
from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite
from tests.support.stalling_proxy import RESET, StallingProxy, error_page, proxy_to

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]

PHONE = {"width": 360, "height": 740}
NOT_FOUND, TOO_LONG = (
    error_page(HTTPStatus.NOT_FOUND),
    error_page(HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
)
BROKEN, BAD_GATEWAY = (
    error_page(HTTPStatus.INTERNAL_SERVER_ERROR),
    error_page(HTTPStatus.BAD_GATEWAY),
)
BUSY, A_LOGIN = error_page(HTTPStatus.SERVICE_UNAVAILABLE), error_page(HTTPStatus.OK)
WHAT = {
    "reset": (RESET, "Couldn't reach the site"),
    "404": (NOT_FOUND, "This is no longer here."),
    "413": (TOO_LONG, "This is too long to send."),
    "500": (BROKEN, "Something went wrong on our side."),
    "502": (BAD_GATEWAY, "The site is busy."),
    "503": (BUSY, "The site is busy."),
    "200 of a hotel": (A_LOGIN, "Something else answered instead of the site."),
    "400": (error_page(HTTPStatus.BAD_REQUEST), "The site didn't accept this."),
    "429": (error_page(HTTPStatus.TOO_MANY_REQUESTS), "Too many requests."),
}


@pytest.fixture
def line(unhurried_site: LiveSite) -> Iterator[StallingProxy]:
    with proxy_to(unhurried_site.port) as line:
        yield line


def at_a_turn(line: StallingProxy, site: LiveSite, open_browser: OpenBrowser) -> Player:
    """Somebody with a phone whose connection is this line, at a table where people write.

    They move by POST; of a socket that fails see tests/e2e/test_moves_over_a_socket.py.
    """
    player = open_browser(site, viewport=PHONE)
    player.move_by_post()
    player.site = line.url
    player.play_now(bots=1)  # as a guest
    table = player.open_table(seats=2)
    player.post(f"{table}/add-bot", kind="steady")
    player.post(f"{table}/start")
    player.wait_for_turn()
    return player


def notice(player: Player) -> Locator:
    return player.page.locator("#notice > .notice")


def is_over_all(element: Locator) -> bool:
    found: bool = element.evaluate(
        """(element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const over = document.elementFromPoint(left + width / 2, top + height / 2);
          return element.contains(over);
        }"""
    )
    return found


def do_something(player: Player) -> None:
    player.page.locator("#own button[value=dudo], #own button[value=bid]").first.click()


@pytest.mark.parametrize("what", WHAT)
def test_a_move_and_a_message_that_fail_say_why_and_can_be_tried_again(
    unhurried_site: LiveSite, open_browser: OpenBrowser, line: StallingProxy, what: str
) -> None:
    player = at_a_turn(line, unhurried_site, open_browser)
    player.page.locator(".talk-link").click()
    player.page.get_by_label("Message the table").fill("Is anybody there?")
    player.page.locator(".talk-link").click()
    line.forms, told = WHAT[what]
    before = player.seq
    with player.expecting_errors():
        do_something(player)
        expect(notice(player)).to_contain_text(told)
        assert is_over_all(notice(player))
        assert "proxy" not in player.page.locator("body").inner_text()
        expect(player.page.locator(".htmx-request")).to_have_count(0)
        notice(player).click(position={"x": 3, "y": 3})
        expect(notice(player)).to_have_count(0)
        player.page.locator(".talk-link").click()
        player.page.get_by_label("Message the table").press("Enter")
        expect(notice(player)).to_contain_text(told)
        assert is_over_all(notice(player))
    expect(player.page.get_by_label("Message the table")).to_have_value("Is anybody there?")
    line.forms = None
    player.page.get_by_label("Message the table").press("Enter")
    expect(player.page.locator("#talk")).to_contain_text("Is anybody there?")
    player.page.locator(".talk-link").click()
    do_something(player)
    player.wait_for_newer(before)
    expect(notice(player)).to_have_count(0)


def test_a_move_that_nobody_answers_says_so(
    unhurried_site: LiveSite, open_browser: OpenBrowser, line: StallingProxy
) -> None:
    player = at_a_turn(line, unhurried_site, open_browser)
    line.forms = b""
    before = player.seq
    with player.expecting_errors():
        do_something(player)
        expect(notice(player)).to_contain_text("Sending… No answer yet.")
        expect(notice(player)).to_contain_text("The site isn't answering.", timeout=20_000)
    line.forms = None
    do_something(player)
    player.wait_for_newer(before)


def test_offline_a_move_and_a_form_say_so(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, viewport=PHONE)
    player.play_now(bots=1)
    player.wait_for_turn()
    before = player.seq
    with player.expecting_errors():
        player.page.context.set_offline(True)
        do_something(player)
        expect(notice(player)).to_contain_text("You're offline.")
        player.page.context.set_offline(False)
    do_something(player)
    player.wait_for_newer(before)
    player.go("/games/new")
    with player.expecting_errors():
        player.page.context.set_offline(True)
        player.button("Create the table").click()
        expect(notice(player)).to_contain_text("You're offline.")
        assert is_over_all(notice(player))
        player.page.context.set_offline(False)
    player.button("Create the table").click()
    player.address()


def test_a_refused_move_is_read_above_the_panel(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, viewport=PHONE)
    player.play_now(bots=1)
    player.wait_for_turn()
    player.page.locator("#own [name=seen]").evaluate("(input) => (input.value = 0)")
    do_something(player)
    expect(notice(player)).to_contain_text("Too late")
    assert is_over_all(notice(player))
    player.page.mouse.move(1, 1)  # it stays while a mouse is on it
    player.page.wait_for_timeout(3_000)
    expect(notice(player)).to_be_visible()
    expect(player.page.locator("#notice")).to_have_text("", timeout=20_000)


@pytest.mark.parametrize("what", ["reset", "413", "502", "503"])
def test_a_form_that_leads_to_another_page_leads_back_when_it_fails(
    unhurried_site: LiveSite, open_browser: OpenBrowser, line: StallingProxy, what: str
) -> None:
    player = open_browser(unhurried_site)
    player.site = line.url
    page = player.page
    player.go("/account/signup/")
    page.wait_for_function(
        "() => navigator.serviceWorker.controller !== null"
    )  # on the first visit too
    page.get_by_label("Name", exact=True).fill(f"Kept-{what}")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    line.forms, told = WHAT[what]
    with player.expecting_errors():
        player.button("Create account").click()
        expect(page.get_by_role("heading", name="Not sent")).to_be_visible()
        expect(page.get_by_role("status")).to_contain_text(told)
        line.forms = None
        player.link("Back to the form").click()
        expect(page).to_have_url(re.compile("/account/signup/$"))
        expect(page.get_by_label("Name", exact=True)).to_have_value(f"Kept-{what}")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    player.button("Create account").click()
    expect(page).to_have_url(f"{line.url}/account/welcome")


@pytest.mark.parametrize(("status", "told"), [(502, "The site is busy."), (200, "Something else")])
def test_a_part_of_a_page_that_cannot_be_loaded_says_so(
    unhurried_site: LiveSite, open_browser: OpenBrowser, status: int, told: str
) -> None:
    player = open_browser(unhurried_site)
    player.play_now(bots=1)
    page = "<!DOCTYPE html><html><body>proxy</body></html>"
    player.page.route("**/rounds", lambda route: route.fulfill(status=status, body=page))
    with player.expecting_errors():
        player.page.evaluate("htmx.trigger('#story', 'recall')")
        expect(notice(player)).to_contain_text(told)
    assert "proxy" not in (player.page.locator("body").text_content() or "")
