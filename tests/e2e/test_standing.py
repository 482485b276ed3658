"""A group's permanent link on phones and desktops, without scripts too, and meeting hours."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, wider_than_screen
from tests.e2e.test_accessible import assert_accessible
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
RULES = {"kind": "standard", "seats": "4", "visibility": "link"}
SIZES = [(320, 568), (360, 740), (740, 360), (1440, 900)]


def a_link(site: LiveSite, open_browser: OpenBrowser, name: str) -> tuple[Player, str]:
    owner = open_browser(site, name)
    owner.register()
    owner.go("/t/new")
    owner.button("Create the table").click()
    expect(owner.page.get_by_role("heading", level=1)).to_have_text(f"{name}'s standing table")
    assert_accessible(owner)
    return owner, urlsplit(owner.page.url).path


def test_who_comes_is_seen_without_a_reload(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    owner, link = a_link(unhurried_site, open_browser, "Oriol")
    now = owner.page.locator("#standing-now")
    expect(now).to_contain_text("Nobody is here yet")
    friend = open_browser(unhurried_site, "friend")
    friend.go(link)
    friend.button("Take a seat").click()
    friend.page.wait_for_url("**/games/*")
    expect(now).to_contain_text("3 seats are free", timeout=15_000)
    expect(now.get_by_role("list", name="Players").get_by_role("listitem")).to_have_count(1)
    expect(owner.page.locator("#live")).to_have_text("3 seats are free")
    # What a visitor types is not taken away.
    visitor = open_browser(unhurried_site, "visitor")
    visitor.page.clock.install()
    visitor.go(link)
    name = visitor.page.get_by_label("Your name")
    proposed = name.input_value()
    name.fill("Octave")
    visitor.page.locator("h1").click()
    owner.button("Take a seat").click()
    owner.page.wait_for_url("**/games/*")
    visitor.page.clock.run_for(20_000)
    expect(name).to_have_value("Octave")
    seen = visitor.page.locator("#standing-now")
    expect(seen).to_contain_text("3 seats are free")
    name.fill(proposed)
    visitor.page.locator("h1").click()
    visitor.page.clock.run_for(20_000)
    expect(seen).to_contain_text("2 seats are free")
    # The link is renewed meanwhile.
    owner.go(link)
    owner.page.locator("summary", has_text="New link").click()
    owner.button("Renew the link").click()
    with visitor.expecting_errors():
        visitor.page.clock.run_for(20_000)
        expect(visitor.page.get_by_role("heading", level=1)).to_have_text("This link was renewed")


@pytest.mark.parametrize(
    "options",
    [{}, {"java_script_enabled": False}],
    ids=["with scripts", "without scripts"],
)
def test_a_group_meets_by_its_link_and_anybody_starts(
    unhurried_site: LiveSite, open_browser: OpenBrowser, options: dict[str, object]
) -> None:
    name = "Odile" if options else "Olga"
    owner, link = a_link(unhurried_site, open_browser, name)
    friend = open_browser(unhurried_site, "friend", **options)
    friend.go(link)
    # A free name stands there already.
    expect(friend.page.get_by_label("Your name")).not_to_have_value("")
    friend.button("Take a seat").click()
    friend.page.wait_for_url("**/games/*")
    table = friend.page.url
    owner.go(link)
    owner.button("Take a seat").click()
    expect(owner.page).to_have_url(table)
    # The friend came first and is the host; the owner starts all the same.
    owner.button("Start the game").click()
    expect(owner.page.locator("#table[data-phase]")).to_be_visible()
    friend.go(link)
    expect(friend.link("Go to the table")).to_be_visible()
    stranger = open_browser(unhurried_site, "stranger")
    stranger.go(link)
    expect(stranger.page.get_by_text("A game is in progress")).to_be_visible()
    stranger.button("Play the next one").click()
    expect(stranger.page).to_have_url(table)


def test_its_pages_fit_every_screen_in_two_languages(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    owner, link = a_link(unhurried_site, open_browser, "Oriane")
    for locale, verb in (("en", "Take a seat"), ("fr", "")):
        visitor = open_browser(unhurried_site, "visitor", locale=locale)
        visitor.go(link)
        for width, height in SIZES:
            visitor.page.set_viewport_size({"width": width, "height": height})
            assert wider_than_screen(visitor.page) == []
            if verb:  # what a visitor does is in view
                expect(visitor.button(verb)).to_be_in_viewport()
        assert_accessible(visitor)
    for path in ("/t", "/t/new", link, f"{link}/rules"):
        owner.go(path)
        for width, height in SIZES:
            owner.page.set_viewport_size({"width": width, "height": height})
            assert wider_than_screen(owner.page) == []
        assert_accessible(owner)


def test_the_owner_renews_the_link_and_deletes_the_table(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    owner, link = a_link(unhurried_site, open_browser, "Ophelie")
    owner.page.locator("summary", has_text="New link").click()
    owner.button("Renew the link").click()
    expect(owner.page).not_to_have_url(f"{unhurried_site.url}{link}")
    visitor = open_browser(unhurried_site, "visitor")
    with visitor.expecting_errors():  # a browser logs the status 410
        visitor.go(link)
        expect(visitor.page.get_by_text("Ask Ophelie for the new one.")).to_be_visible()
    owner.page.locator("summary", has_text="Delete this table").click()
    owner.button("Delete the table").click()
    expect(owner.page.get_by_text("The standing table was deleted.")).to_be_visible()
