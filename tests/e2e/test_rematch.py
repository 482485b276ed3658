"""The next game: by one press, with a countdown; asked for in advance; and the last person."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.player import SETTLED, Player, is_over, play, wait_for, wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
PHONE = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True}
LANDSCAPE = {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True}
COUNTDOWN = re.compile(r"0:\d\d")


def gather(host: Player, *guests: Player, seats: int, bots: int = 0) -> str:
    """A table at which all of them play, and so many bots."""
    for player in (host, *guests):
        player.register()
    table = host.open_table(seats=seats)
    for guest in guests:
        assert guest.post(f"{table}/sit") == table
        guest.go(table)
    for _ in range(bots):
        host.post(f"{table}/add-bot", kind="steady")
    host.post(f"{table}/start")
    for player in (host, *guests):
        player.wait_for_phase("turn")
    return table


def is_seen_whole(player: Player, element: Locator) -> bool:
    """Whether all of it lies on the screen, over everything else, and a thumb finds it."""
    box, size = element.bounding_box(), player.page.viewport_size
    assert box is not None and size is not None
    inside = box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    inside = inside and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
    on_top = element.evaluate(
        f"""async (e) => {{
          const {{ x, y, width, height }} = e.getBoundingClientRect();
          await ({SETTLED})(e);
          return e.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }}"""
    )
    return inside and on_top and min(box["width"], box["height"]) >= 44


@pytest.mark.slow
def test_two_who_press_play_again_at_once(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """One in English at a desk, one in French on a phone; nobody has to start the game."""
    ana = open_browser(unhurried_site, "Rana")
    ben = open_browser(unhurried_site, "Rben", locale="fr", **PHONE)
    old = gather(ana, ben, seats=2)
    play([ana, ben], until=lambda: is_over(ana) and is_over(ben))
    ana.button("Rematch").click()
    expect(ana.page.locator("#table.room")).to_be_visible()
    assert ana.address() != old
    again = ben.button("Aller à la revanche")
    expect(again).to_be_visible()
    ben.page.evaluate("scrollTo(0, 0)")
    assert is_seen_whole(ben, again), (again.bounding_box(), ben.page.viewport_size)
    again.focus()
    ben.page.keyboard.press("Enter")
    for player in (ana, ben):
        player.wait_for_phase("turn")
        expect(player.hand.locator(".die")).to_have_count(5)
    assert ana.address() == ben.address() != old


@pytest.mark.parametrize("options", [PHONE, {"java_script_enabled": False}], ids=["phone", "plain"])
def test_a_visitor_asks_for_the_next_seat_in_one_press(
    unhurried_site: LiveSite, open_browser: OpenBrowser, options: dict[str, object]
) -> None:
    """Who has no name yet is a guest from then on, and may give the seat back."""
    suffix = "2" if "viewport" in options else "3"
    host, other = (
        open_browser(unhurried_site, f"Rila{suffix}"),
        open_browser(unhurried_site, f"Rolf{suffix}"),
    )
    table = gather(host, other, seats=2)
    visitor = open_browser(unhurried_site, "visitor", **options)
    visitor.go(table)
    visitor.button("Play the next one").click()
    back = visitor.button("Give the seat back")
    expect(back).to_be_visible()
    assert visitor.address() == table
    expect(visitor.page.locator(".nav a.me")).to_have_count(1)
    back.click()
    expect(visitor.button("Play the next one")).to_be_visible()


@pytest.mark.slow
def test_who_watches_plays_the_next_one_and_nobody_waits_for_who_dawdles(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """All three see the countdown; at its end the game begins with those who asked for it."""
    ana = open_browser(unhurried_site, "Qana")
    ben = open_browser(unhurried_site, "Qben", locale="fr", **PHONE)
    cleo = open_browser(unhurried_site, "Qcleo", **LANDSCAPE)
    cleo.register()
    ana.register()
    ben.register()
    table = ana.open_table(seats=3)
    assert ben.post(f"{table}/sit") == table
    ana.post(f"{table}/start")
    for player in (ana, ben, cleo):
        player.go(table)
    wish, back = cleo.button("Play the next one"), cleo.button("Give the seat back")
    expect(back).to_be_hidden()
    assert is_seen_whole(cleo, wish)
    wish.click()
    expect(back).to_be_visible()
    expect(wish).to_be_hidden()
    back.click()
    expect(wish).to_be_visible()
    wish.click()
    expect(cleo.page.locator("#own")).to_contain_text("You've asked for a seat")
    play([ana, ben], until=lambda: is_over(ana) and is_over(ben) and is_over(cleo))
    ana.button("Rematch").click()
    for player, words in ((ben, "Aller à la revanche"), (cleo, "Go to the rematch")):
        press = player.page.locator(".after .primary")
        expect(press).to_contain_text(words)
        expect(press).to_contain_text(COUNTDOWN)
        assert is_seen_whole(player, press), (press.bounding_box(), player.page.viewport_size)
        assert wider_than_screen(player.page) == []
    expect(ana.page.locator("#table.room .clock")).to_contain_text(COUNTDOWN)
    expect(ana.page.locator("#table.room .seat-name").filter(has_text="Qcleo")).to_be_visible()
    new = ana.address()
    for player in (ana, cleo):  # no other press: Cleo is taken there
        player.wait_for_phase("turn")
        expect(player.hand.locator(".die")).to_have_count(5)
        assert player.address() == new
    names = ana.page.locator(".seat-name")
    expect(names.filter(has_text="Qben")).to_have_count(0)
    expect(names.filter(has_text="Qcleo")).to_be_visible()
    ben.button("Aller à la revanche").click()
    expect(ben.page.get_by_role("status").filter(has_text="La revanche")).to_be_visible()


def left_alone(site: LiveSite, open_browser: OpenBrowser, name: str, **options: object) -> Player:
    """A player at a table with bots whom everybody else has just left."""
    ana = open_browser(site, f"{name}a", **options)
    ben = open_browser(site, f"{name}b")
    table = gather(ana, ben, seats=4, bots=2)
    ben.post(f"{table}/move", do="leave")
    expect(ana.page.locator(".left-alone")).to_contain_text(f"{name}b")
    return ana


@pytest.mark.parametrize(("name", "options"), [("Wpho", PHONE), ("Wlan", LANDSCAPE), ("Wdesk", {})])
def test_the_last_person_plays_on_against_the_bots(
    unhurried_site: LiveSite, open_browser: OpenBrowser, name: str, options: dict[str, object]
) -> None:
    ana = left_alone(unhurried_site, open_browser, name, **options)
    line = ana.page.locator(".left-alone button")
    wait_for(lambda: ana.my_turn or ana.can("confirm"), ana)
    if ana.my_turn:
        for needed in ("button[value=bid]", "button[value=dudo]"):
            for element in ana.page.locator(f"#own {needed}").all():
                assert is_seen_whole(ana, element), needed
    assert is_seen_whole(ana, line), (line.bounding_box(), ana.choices)
    assert wider_than_screen(ana.page) == []
    line.focus()
    ana.page.keyboard.press("Enter")
    sheet = ana.page.locator("#left-alone")
    for words in ("Finish against bots", "Find people", "End here"):
        button = sheet.get_by_role("button", name=words)
        assert is_seen_whole(ana, button), words
    ana.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(line).to_be_visible()
    line.click()
    sheet.get_by_role("button", name="Finish against bots").click()
    expect(sheet).to_be_hidden()
    expect(line).to_have_count(0)
    assert ana.phase != "over"
    ana.page.reload()
    expect(ana.page.locator("#own")).to_be_visible()
    expect(line).to_have_count(0)


def test_the_last_person_ends_the_game(unhurried_site: LiveSite, open_browser: OpenBrowser) -> None:
    ana = left_alone(unhurried_site, open_browser, "Xeno")
    table = ana.address()
    ana.page.locator(".left-alone button").click()
    ana.button("End here").click()
    ana.page.locator(".ranking li").first.wait_for()
    assert ana.address() == table


def test_the_last_person_looks_for_people(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """Without JavaScript too: the sheet opens, and each choice is a form."""
    ana = left_alone(unhurried_site, open_browser, "Yara")
    table = ana.address()
    ana.page.locator(".left-alone button").click()
    ana.button("Find people").click()
    expect(ana.page.locator("#search")).to_contain_text("first in line")
    assert ana.address() != table


def test_without_javascript_the_last_person_chooses_too(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    ana = open_browser(unhurried_site, "Zana", java_script_enabled=False)
    ben = open_browser(unhurried_site, "Zben")
    ana.register()
    ben.register()
    table = ben.open_table(seats=4)
    assert ana.post(f"{table}/sit") == table
    for _ in range(2):
        ben.post(f"{table}/add-bot", kind="steady")
    ben.post(f"{table}/start")
    ben.post(f"{table}/move", do="leave")
    ana.go(table)
    ana.button("What now?").click()
    ana.button("Finish against bots").click()
    expect(ana.page.locator("#own")).to_be_visible()
    expect(ana.page.locator(".left-alone")).to_have_count(0)
