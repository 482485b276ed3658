"""A table on a big screen: what is read across a room, from the code to join to the ranking."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import Screens, Size, look, resize
from tests.e2e.loudspeaker import LISTEN, heard
from tests.e2e.player import Player, is_over, play, wait_for
from tests.e2e.test_awake import WATCH
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
BIG: Sequence[Size] = ((1280, 720), (1920, 1080), (1024, 768))
# Of the height of the screen: any text, and what everybody looks at.
TEXT, CENTRE = 3, 12
# What must be seen, and what of it is that large, in each state of a table.
SEATS = ".seat-name > :first-child"
PERUDO = {
    "opening": ((SEATS, ".speaks .clock", ".seat > .cup"), ".bid"),
    "turn": ((SEATS, ".speaks .clock", ".speaks p", ".seat > .cup", ".tally"), ".bid b"),
    "palifico": ((SEATS, ".ribbon .loud", ".seat-flag", ".speaks .clock"), ".bid b"),
    "reveal": ((SEATS, ".call", ".of", ".verdict .right", ".became-of", ".hand .die"), ".count b"),
    "reveal_before_palifico": ((SEATS, ".of", ".verdict .right", ".clock"), ".count b"),
    "over": ((".ranking li", ".follows"), ".ranking li:first-child"),
}
PECO_PECO = {
    "turn": ((SEATS, ".stake-card", ".speaks .clock", ".speaks p", ".seat-hand"), ".discard > svg"),
    "window": ((SEATS, ".speaks .clock", ".speaks p"), ".discard > svg"),
    "honest": ((SEATS, ".right", ".became-of", ".shown-hand > svg", ".clock"), ".discard > svg"),
    "won": ((SEATS, ".verdict .right", ".clock"), ".prize svg"),
    "choosing": ((SEATS, ".speaks p", ".speaks .clock"), ".discard > svg"),
    "over": ((".ranking li", ".follows"), ".ranking li:first-child"),
}
# The smallest text that is shown, and how large the letters or boxes of some parts are, in per
# cent of the height of the screen.
_SIZES = """(centre) => {
  const share = (px) => (100 * px) / innerHeight;
  const isShown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !e.closest(".visually-hidden") && getComputedStyle(e).clipPath !== "inset(50%)";
  const walker = document.createTreeWalker(document.querySelector(".shell"), NodeFilter.SHOW_TEXT);
  let least = [100, ""];
  for (let node; (node = walker.nextNode()); ) {
    const owner = node.parentElement;
    if (!node.data.trim() || !isShown(owner) || owner.closest("[hidden], svg")) continue;
    const size = share(parseFloat(getComputedStyle(owner).fontSize));
    if (size < least[0]) least = [size, node.data.trim()];
  }
  const large = [...document.querySelectorAll(centre)].filter(isShown);
  const letters = (e) => e.childElementCount || e.matches("svg")
    ? e.getBoundingClientRect().height
    : parseFloat(getComputedStyle(e).fontSize);
  return [...least, large.length ? Math.min(...large.map((e) => share(letters(e)))) : 0];
}"""


def lead_to_board(screens: Screens, language: str, state: str, seats: int) -> Page:
    """The page of this language on the board of a table, signed in as a player of it."""
    page = screens.pages[language]
    path, key = screens.tables[state][seats]
    screens.context.add_cookies([{"name": "sessionid", "value": key, "url": screens.site.url}])
    page.goto(f"{screens.site.url}{path}/board")
    return page


def faults_of(page: Page, needed: Sequence[str], centre: str) -> list[str]:
    """What is too small or not seen on each of the screens."""
    found = []
    for size in BIG:
        resize(page, size)
        told = look(page, needed)
        least, words, large = page.evaluate(_SIZES, centre)
        if least < TEXT:
            told.append(f"“{words}” is {least:.1f} % of the screen's height")
        if large < CENTRE and not centre.startswith(".ranking"):
            told.append(f"{centre} is {large:.1f} % of the screen's height")
        found += [f"{size}: {fault}" for fault in told]
    return found


def test_a_board_is_read_across_the_room(game_screens: Screens) -> None:
    is_peco = "window" in game_screens.tables
    for state, (needed, centre) in (PECO_PECO if is_peco else PERUDO).items():
        for seats in game_screens.tables[state]:
            for language in ("en", "fr"):
                page = lead_to_board(game_screens, language, state, seats)
                assert page.locator("html").get_attribute("lang") == language
                assert faults_of(page, needed, centre) == [], (state, seats, language)


def test_nothing_around_the_board_and_no_barrier(game_screens: Screens) -> None:
    for state in ("turn", "over"):
        seats = max(game_screens.tables[state])
        page = lead_to_board(game_screens, "en", state, seats)
        resize(page, BIG[0])
        for gone in (".head", ".foot", ".talk", "form", ".my-dice", "#own .hand"):
            expect(page.locator(gone)).to_have_count(0)
        expect(page.locator("#own")).to_be_hidden()
        assert_accessible(page)


def test_a_small_screen_shows_it_too(game_screens: Screens) -> None:
    """Nothing sticks out at the sides; below one may scroll."""
    for size in ((320, 568), (640, 360), (768, 1024)):
        page = lead_to_board(game_screens, "en", "turn", 6)
        resize(page, size)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width == size[0], size


def test_the_room_shows_the_code_and_who_is_there(open_screens: Callable[..., Screens]) -> None:
    screens = open_screens("tests.e2e.arranged_rooms")
    needed = (".seat-name > *", ".said-by", ".join-here svg", ".join-here p", ".join-here h2")
    for state in screens.tables:
        (seats,) = screens.tables[state]
        is_full = state.endswith("full")
        for language in ("en", "fr"):
            page = lead_to_board(screens, language, state, seats)
            expect(page.locator(".join-here")).to_be_visible(visible=not is_full)
            shown = needed[:2] if is_full else needed
            assert faults_of(page, shown, ".board" if is_full else ".join-here svg") == []
            if not is_full:
                resize(page, BIG[0])
                code = page.locator(".join-here svg").bounding_box()
                assert code is not None
                assert code["height"] > BIG[0][1] * 0.5
        assert_accessible(page)


def test_from_the_code_to_the_rematch(unhurried_site: LiveSite, open_browser: OpenBrowser) -> None:
    """The board of a player on another screen of theirs: it follows by itself and shows no hand."""
    host = open_browser(unhurried_site, "Nadja")
    host.register()
    host.go("/games/new")
    host.page.get_by_label("Private").check()
    host.page.get_by_label("Seats", exact=True).select_option("2")
    host.button("Create the table").click()
    host.address()
    link = host.page.get_by_role("link", name="Show on a big screen")
    board = host.page.context.new_page()
    board.add_init_script(WATCH)
    with host.page.context.expect_page() as opened:
        link.click()
    address = opened.value.url
    opened.value.close()
    board.goto(address)
    expect(board.locator(".join-here svg")).to_be_visible()
    expect(board.locator(".seat-name").first).to_have_text("Nadja")
    wait_for(
        lambda: board.evaluate("held.size === 1"), host
    )  # the screen stays on while people come

    host.button("Easy", exact=True).click()
    expect(board.locator(".join-here")).to_be_hidden()
    host.button("Start the game").click()
    expect(board.locator("#table[data-phase=turn] .seat")).to_have_count(2)
    host.wait_for_turn()
    expect(host.hand).to_be_visible()
    expect(board.locator(".my-dice")).to_have_count(0)
    expect(board.locator("button:visible, input:visible")).to_have_count(2)  # full screen, sound
    host.button("Laughter").click()
    flying = board.locator(
        ".seat:has-text('Nadja') .bubble use"
    )  # with less motion it stands there
    expect(flying).to_have_attribute("href", re.compile("#laughter$"))
    expect(board.locator(".bubble")).to_have_count(0, timeout=4_000)
    play([host], until=lambda: is_over(host))
    expect(board.locator(".ranking li")).to_have_count(2)
    wait_for(lambda: board.evaluate("held.size") == 0, host)

    first = board.url
    host.button("Rematch").click()
    expect(board).not_to_have_url(first, timeout=30_000)
    assert re.fullmatch(r".*/games/\w+/board", board.url)
    expect(board.locator("#table[data-phase=turn]")).to_be_visible()
    board.close()


def test_it_sounds_once_it_is_asked_to(unhurried_site: LiveSite, open_browser: OpenBrowser) -> None:
    """Nothing of it is loaded before that."""
    player = open_browser(unhurried_site)
    table = player.play_now(bots=1)
    board = player.page.context.new_page()
    board.add_init_script(LISTEN)
    loaded: list[str] = []
    board.on("request", lambda each: loaded.append(each.url))
    errors: list[str] = []
    board.on("pageerror", lambda error: errors.append(str(error)))
    board.goto(f"{player.site}{table}/board")
    board.wait_for_load_state("networkidle")
    assert not any("sound" in each for each in loaded)
    sound = board.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    expect(board.get_by_label("Volume")).to_be_hidden()
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    expect(board.get_by_label("Volume")).to_be_visible()
    wait_for(lambda: heard(board) != [], player)
    assert any(each.endswith(".wav") for each in loaded)
    play([player], until=lambda: player.phase == "reveal")
    wait_for(lambda: "knock" in {hit.name for hit in heard(board)}, player)
    board.mouse.move(5, 700)
    board.locator("h1").evaluate("() => document.activeElement.blur()")
    expect(board.get_by_label("Volume")).to_be_hidden()
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    assert errors == []
    board.close()


def test_full_screen_by_key_and_through_a_rematch(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """In full screen the new board comes in the same page: another one would leave it."""
    player = open_browser(unhurried_site)
    table = player.play_now(bots=1)
    board = player.page.context.new_page()
    board.goto(f"{unhurried_site.url}{table}/board" if table.startswith("/") else f"{table}/board")
    button = board.get_by_role("button", name="Full screen")
    button.focus()
    board.keyboard.press("Enter")
    wait_for(lambda: board.evaluate("Boolean(document.fullscreenElement)"), player)
    expect(button).to_have_attribute("aria-pressed", "true")
    label = button.locator("span").bounding_box()
    assert label is not None
    assert label["width"] <= 1
    board.keyboard.press("Enter")
    wait_for(lambda: board.evaluate("!document.fullscreenElement"), player)
    expect(button).to_have_attribute("aria-pressed", "false")
    board.keyboard.press("Enter")
    wait_for(lambda: board.evaluate("Boolean(document.fullscreenElement)"), player)
    board.evaluate("window.mark = 'the same page'")

    play([player], until=lambda: is_over(player))
    expect(board.locator(".ranking")).to_be_visible()
    first = board.url
    old = player.address()
    player.button("Rematch").click()
    player.page.wait_for_url(lambda url: old not in url)
    expect(board).not_to_have_url(first, timeout=30_000)
    expect(board.locator("#table[data-phase=turn]")).to_be_visible()
    assert board.evaluate("window.mark") == "the same page"
    assert board.evaluate("Boolean(document.fullscreenElement)")
    expect(board.get_by_role("button", name="Full screen")).to_have_attribute(
        "aria-pressed", "true"
    )
    seq = board.locator("#table").get_attribute("data-seq")
    play([player], until=lambda: player.phase == "reveal")  # the new board is live
    expect(board.locator("#table")).not_to_have_attribute("data-seq", seq or "")
    board.close()
