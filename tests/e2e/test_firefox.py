"""Firefox: a whole game of two people, its animations, keys alone, and pages on a small phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.firefox_player import FirefoxPlayer
from tests.e2e.steps import (
    a_reveal_moves_until_skipped,
    begin_by_keys,
    bid_by_keys,
    do_first_tutorial_steps,
    play_a_whole_game,
    register,
    sounds_are_decoded_and_played,
)
from tests.support.live_site import LiveSite

# Among the first, and so one after the other: each worker that comes to one launches a Firefox.
pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenFirefox = Callable[..., FirefoxPlayer]
PHONE = (360, 740)
SMALLEST = (320, 640)


def test_two_people_play_a_whole_game(unhurried_site: LiveSite, open_firefox: OpenFirefox) -> None:
    host = open_firefox(unhurried_site, "Renate")
    friend = open_firefox(unhurried_site, "Rainer", size=PHONE, touch=True)
    play_a_whole_game(host, friend)


def test_a_reveal_moves_until_a_tap_skips_it(
    unhurried_site: LiveSite, open_firefox: OpenFirefox
) -> None:
    player = open_firefox(unhurried_site, size=PHONE, touch=True)
    player.go("/bots")
    player.click("#hero-perudo ~ .play-now button")
    player.wait_until_shown(".my-dice .die")
    a_reveal_moves_until_skipped(player, lambda: player.click("#table .count"))


def test_the_sounds_of_both_games_are_played(
    unhurried_site: LiveSite, open_firefox: OpenFirefox
) -> None:
    sounds_are_decoded_and_played(open_firefox(unhurried_site))


def test_keys_alone_make_a_bid(unhurried_site: LiveSite, open_firefox: OpenFirefox) -> None:
    player = open_firefox(unhurried_site)
    begin_by_keys(player)
    bid_by_keys(player)


def test_pages_fit_a_small_phone(unhurried_site: LiveSite, open_firefox: OpenFirefox) -> None:
    player = open_firefox(unhurried_site, "Roswitha", size=SMALLEST, touch=True)
    register(player)
    for path in ("/", "/rules", "/rules/perudo", "/games/new", f"/players/{player.name}"):
        player.go(path)
        assert player.wider_than_screen() == [], path
    do_first_tutorial_steps(player)
    an_avatar_and_a_theme(player)


def an_avatar_and_a_theme(player: FirefoxPlayer) -> None:
    player.go("/account/")
    assert player.wider_than_screen() == []
    player.click(".faces-grid label", "Puma")
    player.tab_to("select[name=theme]")
    player.press("End")
    player.click("button", "Save")
    player.wait_until_shown(".messages", "Settings saved.")
    assert player.evaluate("() => document.documentElement.dataset.theme") == "dark"
    assert player.evaluate("() => document.querySelector('[value=puma]').checked")
    assert player.wider_than_screen() == []


def test_what_breaks_on_a_page_is_noticed(
    unhurried_site: LiveSite, open_firefox: OpenFirefox
) -> None:
    player = open_firefox(unhurried_site)
    player.go("/")
    assert player.errors == []
    player.evaluate("() => void setTimeout(() => { nothingAtAll(); })")
    player.wait_for(lambda: "nothingAtAll" in player.errors_so_far())
    player.evaluate(
        """() => document.body.append(
          Object.assign(document.createElement("script"), { textContent: "0" }))"""
    )
    player.wait_for(lambda: "Content-Security-Policy" in player.errors_so_far())
    player.evaluate("() => fetch('/games/nobody').then(() => null)")
    player.wait_for(lambda: "/games/nobody: 404" in player.errors_so_far())
    player.errors.clear()
