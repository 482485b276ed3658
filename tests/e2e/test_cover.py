"""What one holds is covered for people in one room, and seen while it is pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from games.perudo.rules.bids import PACO
from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import Screens
from tests.e2e.conftest import ARRANGING_MODULES
from tests.e2e.player import Player, is_over, play
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
PHONE = {"width": 390, "height": 844}
# What is held.
HELD = {"perudo": "#own .my-dice .die", "peco_peco": "#own .held .animal-card"}
# Where everything of the seat stands but the cover itself, and everything on the board.
BOXES = """(all) => [...document.querySelectorAll(all)].map((e) => {
  const { x, y, width, height } = e.getBoundingClientRect();
  return [e.className.baseVal ?? e.className, x, y, width, height].join(" ");
})"""
AROUND = ".board *, #own *:not(#lift, .cup, .cup *, .held, .held *)"
ALL = f"{AROUND}, .held, .held *"
# Notes whether anything that is held could be seen while it was covered, before each time
# that the page is painted.
WATCH = """
window.seen = [];
window.looked = 0;
const look = () => {
  const all = "#own .my-dice:not(.is-open) .die, #own .held > .animal-card";
  for (const held of document.querySelectorAll(all)) {
    looked += 1;
    const isCovered = document.documentElement.dataset.cover !== "lifted";
    const isSeen = getComputedStyle(held).visibility !== "hidden";
    if (isCovered && isSeen) seen.push(held.outerHTML.slice(0, 80));
  }
};
const paint = () => { look(); requestAnimationFrame(paint); };
requestAnimationFrame(paint);
"""


@pytest.fixture
def phone(game_screens: Screens) -> Iterator[tuple[str, Page]]:
    """A phone at its player's turn, and the key of the game."""
    key = "peco_peco" if "window" in game_screens.tables else "perudo"
    browser = game_screens.context.browser
    assert browser is not None
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    path, session = game_screens.tables["turn"][6]
    site = game_screens.site.url
    context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
    page = context.new_page()
    page.goto(f"{site}{path}")
    yield key, page
    context.close()


def switch(page: Page) -> None:
    page.get_by_role("button", name="Cover my").click()
    page.evaluate("scrollTo(0, 0)")


@contextmanager
def finger_on(page: Page, selector: str) -> Iterator[None]:
    """A finger rests on the first of these elements until the end of the block."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    protocol = page.context.new_cdp_session(page)
    protocol.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    yield
    protocol.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    protocol.detach()


def shows(page: Page, held: str) -> bool:
    """Whether all that is held is seen; False: none of it."""
    seen = page.locator(held).evaluate_all("all => all.map((e) => getComputedStyle(e).visibility)")
    assert len(set(seen)) == 1, seen
    return bool(seen[0] == "visible")


def test_a_finger_lifts_the_cover_and_nothing_moves(phone: tuple[str, Page]) -> None:
    key, page = phone
    held = HELD[key]
    everything, around = page.evaluate(BOXES, ALL), page.evaluate(BOXES, AROUND)
    assert len(around) > 50 and shows(page, held)
    switch(page)
    assert not shows(page, held)
    for _ in range(2):
        assert page.evaluate(BOXES, AROUND) == around
        with finger_on(page, held):
            assert shows(page, held)
            assert page.evaluate(BOXES, ALL) == everything
        assert not shows(page, held)
    switch(page)
    assert shows(page, held)
    assert page.evaluate(BOXES, ALL) == everything


def test_space_and_enter_lift_it_while_they_are_held(phone: tuple[str, Page]) -> None:
    key, page = phone
    held = HELD[key]
    switch(page)
    page.get_by_role("button", name="Hold to see your").focus()
    for each in (" ", "Enter"):
        page.keyboard.down(each)
        assert shows(page, held), each
        page.keyboard.up(each)
        assert not shows(page, held), each
    expect(page.locator("#table")).to_be_visible()  # nothing was played by it
    assert page.locator("#own .is-new").count() == 0


def test_a_screen_reader_is_told_only_when_it_presses(phone: tuple[str, Page]) -> None:
    key, page = phone
    held = HELD[key]
    own = page.locator("#own")
    labels = page.locator("#own :is(.my-dice, .held .animal-card)").evaluate_all(
        "all => all.map((e) => e.getAttribute('aria-label'))"
    )
    assert len(labels) >= 1 and all(f'"{label}"' in own.aria_snapshot() for label in labels)
    switch(page)
    assert not any(f'"{label}"' in own.aria_snapshot() for label in labels)
    assert_accessible(page)
    page.locator("#lift").evaluate("(button) => button.click()")  # as such a tool presses
    assert shows(page, held)
    assert all(f'"{label}"' in own.aria_snapshot() for label in labels)
    expect(page.locator("html")).to_have_attribute("data-cover", "on", timeout=10_000)
    assert not shows(page, held)


def test_it_is_covered_from_the_first_moment_and_the_choice_is_kept(
    phone: tuple[str, Page],
) -> None:
    key, page = phone
    switch(page)
    page.add_init_script(WATCH)
    for _ in range(3):
        page.reload()
        expect(page.get_by_role("button", name="Cover my")).to_have_attribute(
            "aria-pressed", "true"
        )
        page.wait_for_load_state("networkidle")
        assert page.evaluate("looked") > 0
        assert page.evaluate("seen") == []
    assert page.evaluate("localStorage.getItem('table-cover')") == "on"
    assert not shows(page, HELD[key])


def test_covered_cards_are_chosen_by_a_tap_and_not_by_a_look(phone: tuple[str, Page]) -> None:
    key, page = phone
    if key == "perudo":
        return  # no die is chosen
    switch(page)
    chosen = page.locator("#own .held :checked")
    playable = "#own .held.is-playable"
    expect(chosen).to_have_count(0)
    with finger_on(page, playable):
        page.wait_for_timeout(500)
    expect(chosen).to_have_count(0)
    page.locator(playable).first.tap()
    expect(chosen).to_have_count(1)
    assert not shows(page, HELD[key])


# What the panel says beside the hand is made the same: the name of the accused.
SAME_NAME = "document.querySelector('#own .accuse small').textContent = 'Ana'"
# How each part of the panel looks that can be seen, and where it stands.
LOOKS = """() => [...document.querySelectorAll("#own *:not(#lift)")].filter((e) =>
  getComputedStyle(e).visibility === "visible" && e.getClientRects().length
).map((e) => {
  const { x, y, width, height } = e.getBoundingClientRect();
  const of = ["color", "background", "border", "boxShadow", "outline", "opacity", "cursor"];
  const looks = ["", "::before"].flatMap((part) => of.map((one) => getComputedStyle(e, part)[one]));
  return [e.tagName, x, y, width, height, ...e.matches("input") ? [] : looks].join(" ");
}).join("\\n")"""
CHOSEN = "document.querySelector('#own .held {}').toggleAttribute('checked')"


def test_covered_cards_are_not_told_by_what_can_be_pressed(game_screens: Screens) -> None:
    """The same panel whether a card can be played, none, or only one, which is chosen already."""
    if "window" not in game_screens.tables:
        return  # what dice allow does not follow from one's own
    seen = set()
    for state, change in (
        ("turn", "0"),
        ("stuck", "0"),
        ("turn", CHOSEN.format(":enabled")),
        ("turn", CHOSEN.format("[data-steals]")),
    ):
        page = game_screens.context.new_page()
        page.set_viewport_size(PHONE)
        page.add_init_script("localStorage.setItem('table-cover', 'on')")
        game_screens.lead(page, state, 6)
        page.evaluate(SAME_NAME)
        page.evaluate(change)
        hints = page.locator("#hints [data-when]:visible").all_inner_texts()
        seen.add((page.evaluate(LOOKS), *hints))
        page.close()
    assert len(seen) == 1
    page = game_screens.context.new_page()
    game_screens.lead(page, "turn", 6)  # covered still, which the browser keeps
    victim = page.locator("#own .victim").first
    page.evaluate(CHOSEN.format("[data-steals]"))
    expect(victim).to_be_hidden()
    page.locator("#own .held:has([data-steals])").click()
    expect(victim).to_be_visible()  # as of any card that they choose
    switch(page)
    page.reload()
    expect(victim).to_be_hidden()
    page.evaluate(CHOSEN.format("[data-steals]"))
    expect(victim).to_be_visible()
    page.close()


# Notes each bid that is offered in sight, before each time that the page is painted.
WATCH_OFFER = """
window.offers = new Set();
const note = () => {
  const number = document.querySelector("#quantity");
  const isSeen = number && getComputedStyle(number).visibility !== "hidden";
  const face = document.querySelector("[name=face]:checked");
  if (isSeen) offers.add(`${number.value}x${face.value}`);
  requestAnimationFrame(note);
};
requestAnimationFrame(note);
"""
# What the server offers on this page.
READY = """async () => {
  const sent = await (await fetch(location)).text();
  const page = new DOMParser().parseFromString(sent, "text/html");
  const offer = ["#own [name=face][checked]", "#quantity"];
  return offer.map((part) => page.querySelector(part).value);
}"""


def offered(page: Page) -> list[str]:
    face, number = (page.locator(part) for part in ("#own [name=face]:checked", "#quantity"))
    return [face.input_value(), number.input_value()]


@pytest.mark.parametrize("state", ["opening", "palifico", "waiting"])
def test_the_bid_that_is_offered_says_nothing_of_covered_dice(
    open_screens: Callable[..., Screens], state: str
) -> None:
    screens = open_screens(ARRANGING_MODULES["perudo"])
    browser = screens.context.browser
    assert browser is not None
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    path, session = screens.tables[state][6]
    site = screens.site.url
    context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
    page = context.new_page()
    page.add_init_script(WATCH_OFFER)
    page.goto(f"{site}{path}")
    assert offered(page) == page.evaluate(READY)
    legal = page.locator("#own [name=face]:enabled").evaluate_all(
        "all => all.map(({ value, dataset }) => [Number(dataset.min), Number(value)])"
    )
    number, face = min(legal, key=lambda each: 2 * each[0] if each[1] == PACO else each[0])
    lowest = [str(face), str(number)]
    switch(page)
    assert offered(page) == lowest
    expect(page.locator("#own .said-preview b")).to_have_text(str(number))
    page.reload()
    expect(page.locator(".move-form.has-script")).to_be_visible()
    assert offered(page) == lowest
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.evaluate("[...offers]") == [f"{number}x{face}"]
    context.close()


def test_the_bid_that_a_player_chose_stays_while_dice_are_covered(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host, guest = (open_browser(unhurried_site, name, viewport=PHONE) for name in ("Uta", "Vito"))
    for player in (host, guest):
        player.register()
        player.page.add_init_script("localStorage.setItem('table-cover', 'on')")
    guest.sit(host.open_table(seats=2))
    host.button("Start the game").click()
    for player in (host, guest):
        player.wait_for_phase("turn")
    waits, bids = (guest, host) if host.my_turn else (host, guest)
    # What the server offers by the hand, chosen by its player.
    face, number = waits.page.evaluate(READY)
    waits.page.locator(f"#own .face:has([value='{face}'])").click()
    while int(offered(waits.page)[1]) < int(number):
        waits.button("One more die").click()
    assert offered(waits.page) == [face, number]
    seq = waits.seq
    assert bids.choose("bid")  # the lowest one: 1x2
    waits.wait_for_newer(seq)
    assert offered(waits.page)[0] == face


@pytest.mark.parametrize("key", HELD)
def test_no_frame_of_a_whole_game_shows_it(
    unhurried_site: LiveSite, open_browser: OpenBrowser, key: str
) -> None:
    player = open_browser(unhurried_site, viewport=PHONE, reduced_motion="no-preference")
    page = player.page
    page.add_init_script(WATCH)
    page.add_init_script("localStorage.setItem('table-cover', 'on')")
    if key == "perudo":
        player.play_now(bots=1)
        play([player], until=lambda: is_over(player))
    else:
        player.go(player.post("/play-now", game=key, bots="3", strength="mixed"))
        lift = page.locator("#lift")
        lift.focus()
        seq = player.seq
        if player.my_turn:
            player.post(f"{player.address()}/move", do="declare", seen=str(seq))
        player.wait_for_newer(seq)
        expect(lift).to_be_focused()  # though frames have taken it away
        assert page.evaluate("document.querySelectorAll('#own .held').length") > 0
    assert page.evaluate("looked") > 10
    assert page.evaluate("seen") == []
