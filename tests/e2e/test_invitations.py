"""A friend follows the link of a table: how it is shared, and how they join and are called."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.boxes import SIZES, look
from tests.e2e.player import Player
from tests.e2e.test_accessible import assert_accessible
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]

SHARE = "window.shared = []; navigator.share = async (what) => { shared.push(what); };"
NO_SHARE = "delete Navigator.prototype.share;"


def a_host(site: LiveSite, open_browser: OpenBrowser, name: str, **options: object) -> Player:
    host = open_browser(site, name, **options)
    host.register()
    return host


def join(friend: Player, name: str) -> None:
    friend.page.get_by_label("Your name").fill(name)
    friend.button(re.compile("^Join .*table$")).click()


def test_a_friend_gives_a_name_and_presses_one_button(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host, friend = (
        a_host(unhurried_site, open_browser, "Annika"),
        open_browser(unhurried_site, "friend"),
    )
    table = host.open_table()
    friend.go(table)
    expect(friend.button("Join Annika's table")).to_be_visible()
    assert_accessible(friend)
    with friend.expecting_errors():  # a browser logs the status 422
        join(friend, "Annika")
        expect(friend.page.locator("main [role=alert]")).to_have_text(re.compile("taken"))
    expect(friend.page.get_by_label("Your name")).to_have_value("Annika2")
    expect(friend.page.get_by_label("Your name")).to_be_focused()
    assert_accessible(friend)
    join(friend, "Benno-B")
    expect(friend.page.locator(".seat", has_text="Benno-B")).to_contain_text("you")
    expect(host.page.locator(".seat", has_text="Benno-B")).to_be_visible()

    friend.page.locator("summary", has_text="Change your name").click()
    friend.page.get_by_label("Your new name").fill("Benedikt")
    assert_accessible(friend)
    friend.button("Change name").click()
    expect(friend.page.locator(".seat", has_text="Benedikt")).to_contain_text("you")
    expect(host.page.locator(".seat", has_text="Benedikt")).to_be_visible()
    host.button("Start the game").click()
    expect(friend.page.locator("#table[data-phase]")).to_be_visible()
    expect(friend.page.locator(".invitation")).to_be_hidden()


def test_what_a_visitor_types_stays_while_others_join(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host, friend = a_host(unhurried_site, open_browser, "Carlotta"), open_browser(unhurried_site)
    friend.go(host.open_table(seats=2))
    friend.page.get_by_label("Your name").fill("Half a na")
    host.button("Easy", exact=True).click()
    expect(friend.page.locator(".seat.is-free")).to_have_count(0)
    expect(friend.button(re.compile("^Join"))).to_be_hidden()  # no seat is free
    host.page.locator("#to-remove > summary").click()
    host.button(re.compile("^Remove")).click()
    expect(friend.page.get_by_label("Your name")).to_have_value("Half a na")


def test_a_host_sees_the_state_of_the_chat_and_is_asked_before_the_table_closes(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host = a_host(unhurried_site, open_browser, "Crispina", viewport={"width": 320, "height": 568})
    host.open_table()
    switch = host.page.locator(".hosting").get_by_role("button", name="Chat", exact=True)
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    # The rules are one line; what it changes is behind it.
    badge = host.page.locator("#differs li, #differs p").first
    expect(badge).to_be_hidden()
    host.page.locator("#differs > summary").click()
    expect(badge).to_be_visible()
    close = host.button("Yes, close this table")
    expect(close).to_be_hidden()
    host.page.locator("#to-close > summary").click()
    assert_accessible(host)
    close.click()
    expect(host.page).to_have_url(f"{unhurried_site.url}/")


def test_the_link_is_copied_and_words_say_so(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    host = a_host(unhurried_site, open_browser, "Dorothea", permissions=permissions)
    host.page.add_init_script(NO_SHARE)
    table = host.open_table()
    expect(host.button("Share…")).to_be_hidden()
    host.button("Copy link").click()
    expect(host.page.get_by_text("Link copied.")).to_be_visible()
    assert host.page.evaluate("navigator.clipboard.readText()") == unhurried_site.url + table


def test_a_browser_that_copies_nothing_is_said_to(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host = a_host(unhurried_site, open_browser, "Dorotea")
    host.page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error());")
    host.open_table()
    host.button("Copy link").click()
    expect(host.page.get_by_text("Your browser doesn't allow copying")).to_be_visible()
    marked = host.page.evaluate("getSelection().toString() || document.activeElement.value")
    assert "/games/" in marked


def test_the_share_sheet_is_offered_where_there_is_one(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host = a_host(unhurried_site, open_browser, "Edeltraud")
    host.page.add_init_script(SHARE)
    table = host.open_table()
    host.button("Share…").click()
    what = {"title": "Edeltraud's table", "url": unhurried_site.url + table}
    assert host.page.evaluate("shared") == [what]


def test_a_player_shares_the_replay(unhurried_site: LiveSite, open_browser: OpenBrowser) -> None:
    """On the page that has been open since before the start, as most have."""
    permissions = ["clipboard-read", "clipboard-write"]
    phone = {"width": 320, "height": 568}
    host = a_host(unhurried_site, open_browser, "Ottilie", permissions=permissions, viewport=phone)
    friend = a_host(unhurried_site, open_browser, "Pirmin")
    table = host.open_table()
    friend.sit(table)
    host.button("Start the game").click()
    friend.page.locator("summary", has_text="Leave the game").click()
    friend.button("Leave game").click()
    host.wait_for_phase("over")
    share = host.button("Share this game")
    expect(share).to_be_in_viewport(ratio=1)
    share.click()
    dialog = host.page.locator("#share-game")
    expect(dialog.get_by_label("The replay of this game")).to_have_value(
        f"{unhurried_site.url}{table}/replay"
    )
    assert_accessible(host)
    box = dialog.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= phone["width"]
    dialog.get_by_role("button", name="Copy link").click()
    expect(dialog.get_by_text("Link copied.")).to_be_visible()
    copied = host.page.evaluate("navigator.clipboard.readText()")
    host.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    friend.go(urlsplit(copied).path)
    expect(friend.page.locator("#replay")).to_be_visible()


def test_the_qr_code_is_large_enough_for_a_camera(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """On a phone it opens large over the table; where there is room it stands beside the link."""
    phone = {"width": 360, "height": 740}
    host = a_host(unhurried_site, open_browser, "Friederike", viewport=phone)
    host.open_table()
    code = host.page.get_by_role("img", name=re.compile("^QR code"))
    expect(code).to_be_hidden()
    host.button("QR code").click()
    expect(code).to_be_visible()
    assert_accessible(host)
    box = code.bounding_box()
    assert box is not None
    assert box["width"] == box["height"] >= 280
    assert box["x"] >= 0 and box["x"] + box["width"] <= phone["width"]
    host.page.keyboard.press("Escape")
    expect(code).to_be_hidden()
    host.page.set_viewport_size({"width": 1440, "height": 900})
    expect(code).to_be_visible()
    expect(host.button("QR code")).to_be_hidden()


@pytest.mark.slow
def test_a_table_that_waits_shows_the_next_step_on_every_screen(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    french = {"locale": "fr-FR"}
    host = a_host(unhurried_site, open_browser, "Gwendoline-Beatrice")
    table = host.open_table()
    host.page.context.set_extra_http_headers({"Accept-Language": "fr"})
    visitor = open_browser(unhurried_site, **french)
    faults = []

    def check(player: Player, *needed: str) -> None:
        for width, height in SIZES:
            player.page.set_viewport_size({"width": width, "height": height})
            found = look(player.page, needed)
            faults.extend(f"{width}x{height} {needed[0]}: {fault}" for fault in found)

    visitor.go(table)
    check(visitor, "#guest-name", ".join .primary")
    host.go(table)
    check(host, "#share", ".copy")
    host.page.locator("button[name=kind]").first.click()
    expect(host.page.locator(".seat.is-free")).to_have_count(2)
    check(host, "#own .primary")
    assert faults == []
    assert urlsplit(host.page.url).path == table
