"""What is there for comfort: odds, sounds, word of one's turn, and a page for no network."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, expect

from games.contract import catalogue
from tests.e2e.loudspeaker import LISTEN, heard, is_running, pitches
from tests.e2e.player import Player, is_over, play, wait_for, wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]

PHONE = {"width": 360, "height": 740}
OWN_SCRIPTS, FIRST_VISIT = 56_000, 170_000  # bytes, of which headers are some 27,000
# In semitones above the file: two knocks, the notes of one's turn, the die of a bid.
DUDO, MY_TURN, BID = {0, -2}, [7, 12], -7

# Counts how often permission is asked for. No page of a driven browser is ever out of sight, so
# `away` and `back` say it for the browser, to the same event.
WATCH = """
delete window.PushManager; // a private window has it and cannot: see test_calling.py
window.asked = 0;
const ask = Notification.requestPermission.bind(Notification);
Notification.requestPermission = () => { asked += 1; return ask(); };
let hidden = false;
Object.defineProperty(document, "hidden", { get: () => hidden });
const look = (to) => { hidden = to; document.dispatchEvent(new Event("visibilitychange")); };
window.away = () => look(true);
window.back = () => look(false);
"""
# A browser that is slow to say which notifications it shows.
SLOW = """
const { getNotifications } = ServiceWorkerRegistration.prototype;
ServiceWorkerRegistration.prototype.getNotifications = async function (...which) {
  await new Promise((go) => setTimeout(go, 500));
  return getNotifications.apply(this, which);
};
"""
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map(({ title, body }) => [title, body]);
}"""
KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) kept.push(new URL(url).pathname);
  return kept;
}"""
WORKING = "navigator.serviceWorker.ready.then(({ active }) => active.state)"


# --- odds ----------------------------------------------------------------------------------------


def test_odds_are_read_without_scrolling_on_a_phone(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, "Odette", viewport=PHONE, has_touch=True, is_mobile=True)
    player.register()
    player.go("/games/new")
    page = player.page
    page.get_by_role("radio", name="Custom").check()
    page.locator("summary").filter(has_text="Advanced").click()
    page.get_by_label("Show odds").check()
    page.get_by_label("Seats", exact=True).select_option("6")
    player.button("Create the table").click()
    player.address()
    for free in range(5, 0, -1):
        expect(page.locator(".seat.is-free")).to_have_count(free)
        player.button("Medium", exact=True).click()
    player.button("Start the game").click()
    play([player], until=lambda: player.my_turn and player.can("bid") and player.can("dudo"))
    expect(page.locator(".odds")).to_contain_text(re.compile(r"Odds for the last bid: [<>]?\d+%"))
    legal = page.locator(".face:has(input:enabled)")
    expect(legal.locator(".chance")).to_have_count(legal.count())
    page.evaluate("scrollTo(0, 0)")
    assert wider_than_screen(page) == []
    for part in ("#own .odds", "#own .calls", ".bidding", ".clock >> nth=0"):
        at = page.locator(part).bounding_box()
        assert at is not None
        assert at["y"] + at["height"] <= PHONE["height"], part


# --- sounds --------------------------------------------------------------------------------------


def test_the_table_is_silent_until_it_is_asked_for_sounds(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, reduced_motion="no-preference")
    player.page.add_init_script(LISTEN)
    player.play_now(bots=1)
    sound = player.button("Sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    play([player], until=lambda: player.phase == "reveal")
    assert heard(player.page) == []
    assert player.page.evaluate("contexts.length") == 0

    player.wait_for_turn()
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    wait_for(lambda: is_running(player.page) and heard(player.page) != [], player)
    play([player], until=lambda: player.phase == "reveal")
    assert set(pitches(heard(player.page), "knock")) >= DUDO
    play([player], until=lambda: player.my_turn)
    hits = heard(player.page)
    assert pitches(hits, "roll")
    assert pitches(hits, "note")[-2:] == MY_TURN

    player.page.reload()  # the choice is kept, but nothing sounds before a hand is at the page
    expect(sound).to_have_attribute("aria-pressed", "true")
    assert player.page.evaluate("contexts.length") == 0
    player.page.keyboard.press("Shift")
    wait_for(lambda: is_running(player.page), player)
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    wait_for(lambda: player.page.evaluate("contexts[0]?.state") == "suspended", player)


def test_who_wants_less_motion_hears_less_too(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, reduced_motion="reduce")
    player.page.add_init_script(LISTEN)
    player.play_now(bots=1)
    play([player], until=lambda: player.phase == "reveal")
    player.button("Sound").click()
    wait_for(lambda: is_running(player.page) and heard(player.page) != [], player)
    play([player], until=lambda: player.phase == "turn")
    # It may be one's turn at once, or the bot may have bid already.
    hits = heard(player.page)
    assert {hit.name for hit in hits} <= {"note", "die", "knock"}
    assert set(pitches(hits, "note")) <= set(MY_TURN)
    assert set(pitches(hits, "die")) <= {BID}


# --- one's turn ----------------------------------------------------------------------------------


def test_ones_turn_shows_in_the_title_of_the_tab(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    player.play_now(bots=2)
    player.wait_for_turn()
    expect(player.page).to_have_title(re.compile("^Your turn!"))
    assert player.choose("dudo" if player.can("dudo") else "bid")
    play([player], until=lambda: player.my_turn or is_over(player) or player.phase == "reveal")
    if not player.my_turn:
        expect(player.page).not_to_have_title(re.compile("^Your turn!"))


def test_a_player_who_asked_for_it_is_notified_of_their_turn_in_another_tab(
    unhurried_site: LiveSite, open_browser: OpenBrowser, full_browser: Browser
) -> None:
    player = open_browser(unhurried_site, within=full_browser, permissions=["notifications"])
    page = player.page
    page.add_init_script(WATCH + SLOW)
    player.play_now(bots=1)
    assert page.evaluate(WORKING) in {"activating", "activated"}
    until_a_bots_turn(player)
    page.evaluate("away()")
    wait_for(lambda: player.my_turn or player.can("confirm"), player)
    assert shown(page) == []  # nobody asked for it
    assert page.evaluate("asked") == 0

    page.evaluate("back()")
    tell = player.button("Notify me when it's my turn")
    tell.click()
    expect(tell).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("asked") == 1
    page.reload()  # the choice is kept, and nobody is asked again
    expect(tell).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("asked") == 0
    while True:
        until_a_bots_turn(player)
        page.evaluate("away()")
        if not player.my_turn:  # the bot was no quicker than this page
            wait_for(lambda: player.my_turn or player.can("confirm"), player)
            if player.my_turn:
                break
        page.evaluate("back()")
    wait_for(lambda: len(shown(page)) == 1, player)
    [[title, body]] = shown(page)
    assert title.startswith("Your turn!")
    assert body == page.locator("#table").get_attribute("data-narration")
    page.evaluate("back()")  # who looks at the table needs no telling
    wait_for(lambda: shown(page) == [], player)


def test_a_browser_that_allows_no_notifications_is_believed(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)  # without the permission, a driven browser denies it
    player.play_now(bots=1)
    tell = player.button("Notify me when it's my turn")
    tell.click()
    expect(player.page.get_by_text("Your browser is blocking notifications")).to_be_visible()
    expect(tell).to_have_attribute("aria-pressed", "false")


def until_a_bots_turn(player: Player) -> None:
    """Plays on to where the bot is to speak, or has just spoken, after a bid of the player's."""
    while True:
        play([player], until=lambda: player.my_turn and player.can("bid"))
        if player.choose("bid"):
            return


def shown(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(SHOWN)
    return found


# --- without the network -------------------------------------------------------------------------


def test_without_the_network_a_page_says_so_and_heals(
    new_site: Callable[..., LiveSite], open_browser: OpenBrowser
) -> None:
    site = new_site()
    site.start()
    player = open_browser(site)
    page = player.page
    player.go("/rules/perudo")
    wait_for(lambda: page.evaluate(WORKING) == "activated", player)
    with player.expecting_errors():
        site.stop()
        player.go("/rules/perudo")
        expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
        again = page.get_by_role("link", name="Try again")
        assert again.evaluate("(link) => getComputedStyle(link).borderRadius") != "0px"
        again.click()
        expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
        site.start()
        expect(page.get_by_role("heading", name="You're offline")).to_be_hidden(timeout=15_000)
    expect(page).to_have_url(f"{site.url}/rules/perudo")
    expect(page).to_have_title(re.compile("How to play"))


def test_a_browser_without_network_shows_no_game_from_memory(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    page = player.page
    player.go("/")
    wait_for(lambda: page.evaluate(WORKING) == "activated", player)
    table = player.play_now(bots=1)
    page.reload()
    expect(player.hand).to_be_visible()
    kept = page.evaluate(KEPT)
    assert "/offline" in kept
    assert [path for path in kept if not path.startswith("/static/")] == ["/offline"]
    with player.expecting_errors():
        page.context.set_offline(True)
        player.go(table)
        expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
        assert page.locator("#table, #own, .die").count() == 0
        page.context.set_offline(False)
        expect(player.hand).to_be_visible(timeout=15_000)


# --- weight --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [game.key for game in catalogue.every()])
def test_the_first_visit_of_a_table_is_light(
    unhurried_site: LiveSite, open_browser: OpenBrowser, game: str
) -> None:
    host, visitor = open_browser(unhurried_site), open_browser(unhurried_site)
    table = host.post("/play-now", game=game, bots="5", strength="mixed")
    moved: list[int] = []
    session = visitor.page.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda each: moved.append(each["encodedDataLength"]))
    visitor.go(table)
    visitor.page.wait_for_load_state("networkidle")
    assert len(moved) > 10
    assert sum(moved) < FIRST_VISIT, f"{sum(moved)} bytes"
    assert own_scripts(visitor.page) < OWN_SCRIPTS


def own_scripts(page: Page) -> int:
    """How much there is of our own scripts on a page, uncompressed; none may hold up the page."""
    scripts: list[dict[str, Any]] = page.evaluate(
        "[...document.scripts].map(({ src, type, async, defer }) => ({ src, type, async, defer }))"
    )
    ours = [each for each in scripts if "htmx" not in each["src"]]
    assert len(ours) >= 4
    assert all(each["type"] == "module" for each in ours)
    assert all(each["async"] or each["defer"] for each in scripts if each not in ours)
    paths = [re.sub(r"\.\w{12}\.js$", ".js", urlsplit(each["src"]).path) for each in ours]
    files = [Path(finders.find(path.removeprefix("/static/"))) for path in paths]
    return sum(len(file.read_bytes()) for file in files)
