"""What somebody has selected, opened or half written survives every frame."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.player import Player, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]

# Selects these words where they stand first in the part; says what is selected.
SELECT = """([part, words]) => {
  const texts = document.createTreeWalker(document.querySelector(part), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const at = texts.currentNode.data.indexOf(words);
    if (at < 0 || !texts.currentNode.parentElement.checkVisibility()) continue;
    getSelection().setBaseAndExtent(
      texts.currentNode, at, texts.currentNode, at + words.length
    );
    return getSelection().toString();
  }
}"""
SELECTED = "getSelection().toString()"
OWN = '(<section id="own"[^>]*>)'
LIST = '<select name="list"><option>a</option><option selected>b</option></select>'


def selected(page: Page, part: str, words: str) -> None:
    assert page.evaluate(SELECT, [part, words]) == words


def test_selected_text_survives_messages_and_moves(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    reader, other = (
        open_browser(unhurried_site, name, viewport={"width": 1280, "height": 800})
        for name in ("Selma", "Otto")
    )
    reader.register()
    other.register()
    table = reader.open_table()
    other.sit(table)
    page, messages = reader.page, reader.page.locator("#talk li")
    other.post(f"{table}/say", text="Meet me at nine")
    expect(messages).to_have_count(1)
    selected(page, "#talk", "at nine")
    field = page.get_by_label("Message the table")
    for number in (2, 3):
        other.post(f"{table}/say", text=f"Or at {number}")
        expect(messages).to_have_count(number)
        assert page.evaluate(SELECTED) == "at nine"
    # In the waiting room, while seats are taken.
    selected(page, "#table", "Otto")
    before = reader.seq
    reader.post(f"{table}/add-bot", kind="steady")
    reader.wait_for_newer(before)
    assert page.evaluate(SELECTED) == "Otto"
    # At the table: the game begins as a new page part, then somebody moves.
    reader.post(f"{table}/start")
    expect(reader.hand).to_be_visible()
    field.fill("Half a mess")
    for _ in range(2):
        wait_for(lambda: reader.seq == other.seq, reader)
        mover = reader if reader.my_turn else other
        mover.wait_for_turn()
        page.evaluate("getSelection().removeAllRanges()")
        selected(page, "#table", "Otto")
        before = reader.seq
        mover.choose("bid")
        reader.wait_for_newer(before)
        assert page.evaluate(SELECTED) == "Otto"
        expect(field).to_have_value("Half a mess")


def test_an_open_list_stays_open_while_frames_arrive(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """No part of a table has such a list today: one is put into every frame."""
    host = open_browser(unhurried_site, "Lena")
    page = host.page

    def with_list(route: WebSocketRoute) -> None:
        site = route.connect_to_server()
        site.on_message(lambda said: route.send(re.sub(OWN, rf"\1{LIST}", str(said))))

    page.route_web_socket(re.compile("/ws/games/"), with_list)
    host.register()
    table = host.open_table(seats=4)
    host.post(f"{table}/add-bot", kind="steady")
    page.locator("#own select").click()
    page.evaluate("window.list = document.querySelector('#own select')")
    before = host.seq
    host.post(f"{table}/add-bot", kind="steady")
    host.wait_for_newer(before)
    assert page.evaluate("list.isConnected && list.matches(':open')")
    assert page.evaluate("list.value") == "b"


def test_what_was_opened_stays_open_while_frames_arrive(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """A guest's new name in the waiting room, and a table in the lobby."""
    host, guest, visitor = (
        open_browser(unhurried_site, name) for name in ("Hedda", "Greta", "Vera")
    )
    host.register()
    table = host.open_table(seats=4)
    guest.go(table)
    guest.page.get_by_label("Your name").fill("Greta")
    guest.button(re.compile("^Join .*table$")).click()
    guest.page.locator(".rename summary").click()
    new_name = guest.page.get_by_label("Your new name")
    new_name.fill("Margr")
    visitor.go("/")
    about = visitor.page.locator(f"#about-{table.rsplit('/', 1)[1]}")
    about.locator("summary").click()
    for number in (1, 2):
        before, seen = host.seq, guest.seq
        host.post(f"{table}/add-bot", kind="steady")
        host.wait_for_newer(before)
        guest.wait_for_newer(seen)
        expect(host.page.locator("#table .seat.is-free")).to_have_count(2 - number)
        assert guest.page.locator(".rename[open]").count() == 1
        expect(new_name).to_have_value("Margr")
        expect(new_name).to_be_focused()
    other = open_browser(unhurried_site, "Osanna")
    other.register()
    opened = other.open_table(seats=3)
    expect(visitor.page.locator(f"#about-{opened.rsplit('/', 1)[1]}")).to_be_attached()
    assert about.get_attribute("open") is not None
