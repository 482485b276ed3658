"""Characters among the bots: chosen, met at the table, and heard when the cups are up."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.utils.translation import override
from playwright.sync_api import expect

from games.perudo.bots.characters import CHARACTERS
from games.perudo.words import characters as words
from tests.e2e.boxes import SIZES, Screens, resize
from tests.e2e.conftest import ARRANGING_MODULES
from tests.e2e.player import Player, play, wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
FACE = re.compile(r"/perudo/characters[.\w]*\.svg#tunki$")
SMALL = {"width": 320, "height": 568}
# What words at each seat in turn would cover, or whether the screen would cut them off.
COVERED = """(words) => [...document.querySelectorAll("#table .seat")].flatMap((seat) => {
  if (seat.closest("[data-me]").dataset.me === seat.dataset.seat) return [];
  const bubble = document.createElement("p");
  bubble.className = "bubble of-bot";
  bubble.textContent = words;
  seat.append(bubble);
  const { left, right, top, bottom } = bubble.getBoundingClientRect();
  const needed = "#table :is(.die, .avatar, .seat-name, .seat-change, .count, .of)";
  const faults = [...document.querySelectorAll(needed)].filter((each) => {
    const box = each.getBoundingClientRect();
    return each.checkVisibility() && Math.min(right, box.right) - Math.max(left, box.left) > 1
      && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1;
  }).map((each) => each.className.baseVal ?? each.className);
  if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) faults.push("edge");
  bubble.remove();
  return faults.map((fault) => `seat ${seat.dataset.seat}: ${fault}`);
})"""
OCCASIONS = ("right", "wrong", "out", "won", "beaten")
PHRASES = {words.phrase(key, occasion) for key in ("fanfo",) for occasion in OCCASIONS}


def test_a_host_adds_characters_by_their_faces_and_sees_what_to_expect(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host = open_browser(own_site, "Ann", viewport=SMALL, locale="en")
    host.register()
    host.open_table()
    offered = host.page.get_by_role("list", name="Characters").get_by_role("button")
    expect(offered).to_have_count(len(CHARACTERS))
    fanfo = offered.filter(has_text="Fanfo")
    expect(fanfo).to_contain_text(words.line("fanfo"))
    fanfo.click()
    seat = host.page.locator("#table .seat").filter(has_text="Fanfo")
    expect(seat.locator("svg.avatar use").first).to_have_attribute("href", FACE)
    expect(fanfo).to_be_disabled()
    expect(fanfo).to_contain_text("at the table")
    assert wider_than_screen(host.page) == []


def test_a_character_that_was_chosen_plays_and_speaks_once_the_cups_are_up(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(own_site, "Ben", viewport=SMALL, locale="en")
    player.go("/bots")
    card = player.game_card()
    card.get_by_label("Opponents").select_option("1")
    level = card.get_by_label("Level")
    expect(level.locator("option[value=fanfo]")).to_have_text(f"Fanfo: {words.line('fanfo')}")
    level.select_option("fanfo")
    card.get_by_role("button", name="Play now").click()
    table = player.page.locator("#table")
    seat = table.locator(".seat").filter(has_text="Fanfo")
    expect(seat.locator("svg.avatar use").first).to_have_attribute("href", FACE)
    said = table.locator(".bubble.of-bot")
    silent = []

    def speaks() -> bool:
        if player.phase in ("turn", "claims"):
            silent.append(said.count() == 0 or player.phase not in ("turn", "claims"))
        return said.count() > 0

    play([player], until=speaks)
    assert silent and all(silent)
    expect(said).to_have_count(1)
    assert said.text_content() in PHRASES
    assert player.phase in ("reveal", "over")
    player.page.locator("#quiet").evaluate("button => button.click()")
    expect(said).to_be_hidden()


def test_what_it_says_covers_nothing_at_any_seat_of_any_screen(
    open_screens: Callable[..., Screens],
) -> None:
    screens = open_screens(ARRANGING_MODULES["perudo"])
    found = {}
    for language in screens.pages:
        with override(language):
            said = {words.phrase(key, occasion) for key in CHARACTERS for occasion in OCCASIONS}
        for seats in screens.tables["reveal"]:
            page = screens.go(language, "reveal", seats)
            for size in SIZES:
                resize(page, size)
                if covered := page.evaluate(COVERED, max(said, key=len)):
                    found[f"{language}, {seats} seats, {size}"] = covered
    assert found == {}, found
