"""A page takes frames in by changing what is there: it ends as one that has just been loaded."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

import pytest

from tests.e2e.boxes import Screens
from tests.e2e.player import Player, play, wait_for
from tests.e2e.test_half_made import Again
from tests.support import page_players
from tests.support.http_client import View
from tests.support.live_site import LiveSite

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenBrowser = Callable[..., Player]
MOMENTS = 18  # of three pages at a table, which are compared
SEQ = re.compile(r'data-seq="(\d+)"')
# Notes every element of the two parts, to be found again.
NOTE = """() => {
  window.noted = [...document.querySelectorAll(":is(#table, #own), :is(#table, #own) *")];
  return noted.length;
}"""
GONE = "() => noted.filter((each) => !each.isConnected).map((each) => each.outerHTML)"


def at_a_table(game: str, site: LiveSite, open_browser: OpenBrowser) -> tuple[list[Player], str]:
    """Two people at a table with bots, a spectator, and the table's path."""
    people = [open_browser(site, f"{name}-{len(game)}") for name in ("Mona", "Milo", "Mira")]
    host, guest, spectator = people
    host.register()
    guest.register()
    how = page_players.of(game)
    form = {"seats": str(how.SEATS + 2), "pace": "auto", "visibility": "public", "chat": "on"}
    table = host.post("/games/new", **form, **{name: str(to) for name, to in how.TABLE.items()})
    host.go(table)
    guest.sit(table)
    for _ in range(how.SEATS):
        host.post(f"{table}/add-bot", kind=how.BOT)
    host.post(f"{table}/start")
    spectator.go(table)
    for player in people:
        player.page.locator("#table[data-phase]").wait_for()
    return people, table


def view_of(player: Player) -> View:
    """What the site would show this person now."""
    view = View.of(player.page.context.request.get(player.page.url).text())
    assert view is not None
    return view


def stands(people: Sequence[Player]) -> bool:
    """Whether all pages show the same state, which waits for one of the people or is the last."""
    if len({player.seq for player in people}) > 1:
        return False
    return people[0].phase == "over" or any(player.choices for player in people[:2])


def is_as_fresh(player: Player) -> bool:
    """Compares the page with a new one; False when the table moved on meanwhile."""
    seen, fresh = player.shown_state(), player.state_on_fresh_page()
    if SEQ.findall(seen[0]) != SEQ.findall(fresh[0]):
        return False
    assert seen == fresh
    return True


@pytest.mark.parametrize("game", ["perudo", "peco_peco"])
def test_a_page_ends_as_one_that_has_just_been_loaded(
    game: str, unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """A random game; the people's moves are sent beside their pages, which only hear of them."""
    rng = random.Random(7)  # noqa: S311
    people, table = at_a_table(game, unhurried_site, open_browser)
    compared = 0
    while compared < MOMENTS and people[0].phase != "over":
        wait_for(lambda: stands(people), *people)
        for player in people:
            compared += is_as_fresh(player)
        for player in people[:2]:
            view = view_of(player)
            action = page_players.of(game).random_action(view, rng)
            if action is not None:
                fields = {name: str(value) for name, value in action.items()}
                player.post(f"{table}/move", seen=str(view.seq), **fields)
                player.wait_for_newer(view.seq)
    assert compared >= MOMENTS


def test_what_stays_the_same_stays_the_same_element(game_screens: Screens) -> None:
    """The same fragments once more: not one element is another, in any state of a table."""
    page = game_screens.context.new_page()
    again = Again(page)
    compared = 0
    for state, tables in game_screens.tables.items():
        again.lead(game_screens, state, min(tables))
        noted = page.evaluate(NOTE)
        again()
        assert page.evaluate(GONE) == [], state
        compared += noted
    assert compared > 1_000
    page.close()


def test_a_press_that_has_begun_counts_when_a_frame_comes(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    again = Again(player.page)
    player.play_now(bots=2)
    player.wait_for_turn()
    before = player.seq
    player.page.locator("#own button[value=bid]:enabled").hover()
    player.page.mouse.down()
    again()
    player.page.mouse.up()
    player.wait_for_newer(before)


# Holds the animations of the first roll that begins, so that they do not end before a frame comes.
HOLD_A_ROLL = """() => document.addEventListener("site:swapped", () => setTimeout(() => {
  const own = document.querySelector("#own.is-fresh");
  if (!own || window.rolling) return;
  window.rolling = own.getAnimations({ subtree: true });
  for (const animation of rolling) animation.pause();
}))"""
STILL_HELD = """() => rolling.map(({ effect, playState }) =>
  effect.target?.isConnected && effect.target.closest(".is-fresh") && playState === "paused")"""


def test_a_roll_goes_on_when_a_frame_comes(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, reduced_motion="no-preference")
    again = Again(player.page)
    player.play_now(bots=2)
    player.page.evaluate(HOLD_A_ROLL)
    play([player], until=lambda: bool(player.page.evaluate("window.rolling?.length")))
    again()
    held = player.page.evaluate(STILL_HELD)
    assert held
    assert all(held)
