"""Firefox: a whole game of two people, its animations, keys alone, and pages on a small phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.firefox_player import FirefoxPlayer
from tests.e2e.steps import (
    COUNT_SHOWN,
    NOTE_ANIMATIONS,
    bid_one_more_than_offered,
    invite_and_join,
    number,
    press_all,
    register,
    share_the_replay,
    step_through_the_replay,
    talk,
    the_first_steps_of_the_tutorial,
)
from tests.live import LiveSite

# Among the first, and so one after the other: each worker that comes to one launches a Firefox.
pytestmark = [pytest.mark.e2e, pytest.mark.slow]

Arrive = Callable[..., FirefoxPlayer]
PHONE = (360, 740)
SMALLEST = (320, 640)


def test_two_people_play_a_whole_game(quick_site: LiveSite, arrive: Arrive) -> None:
    host = arrive(quick_site, "Renate")
    friend = arrive(quick_site, "Rainer", size=PHONE, touch=True)
    register(host)
    invite_and_join(host, friend)
    talk(host, friend)
    host.click("button", "Start the game")
    bid_one_more_than_offered(host, friend)
    press_all([host, friend], until=lambda: "confirm" in friend.choices)
    friend.until(lambda: not friend.shows("#table .bubble"))  # a message stands at its seat awhile
    before = friend.sees()
    friend.reload()
    assert friend.sees() == before
    assert friend.sticks_out() == []
    press_all([host, friend], until=lambda: host.phase == friend.phase == "over")
    host.until(lambda: host.seq == friend.seq)
    assert host.sees()[0] == friend.sees()[0]
    assert host.texts("#table .ranking li > span") == friend.texts("#table .ranking li > span")
    assert sorted(host.texts("#table .ranking li > span")) == ["Rainer", "Renate"]
    share_the_replay(host)
    friend.click("button", "Rematch")
    host.until_shown("#own button", "Go to the rematch")
    step_through_the_replay(host)


def test_a_reveal_moves_until_a_tap_skips_it(quick_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(quick_site, size=PHONE, touch=True)
    player.go("/")
    player.click("#hero-perudo ~ .play-now button")
    player.until_shown(".my-dice .die")
    player.evaluate(NOTE_ANIMATIONS)
    press_all([player], until=lambda: "dudo" in player.choices)
    player.choose("dudo")
    player.until_shown("#table .reveal.is-fresh")
    player.until(lambda: "open" in player.evaluate("() => begun"))
    player.click("#table .count")
    player.until_shown("#table .reveal.is-told")
    assert player.evaluate(COUNT_SHOWN)
    player.evaluate("() => void rolls.splice(0)")
    press_all([player], until=lambda: player.phase == "turn")
    player.until(lambda: "tumble" in player.evaluate("() => rolls"))


def test_keys_alone_make_a_bid(quick_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(quick_site)
    player.go("/")
    player.tab_to("#hero-perudo ~ .play-now button")
    player.press("Enter")
    player.until(lambda: "bid" in player.choices)
    player.tab_to("#own input[name=face]:checked")
    offered = number(player)

    def raised() -> bool:
        player.press("p", "+")  # of other values only the bid one higher may be legal
        return number(player) > offered

    player.until(raised)  # the script of the keys may still be on its way
    bid = f"{number(player)}×"
    before = player.seq
    player.press("Enter")
    player.until(lambda: player.seq > before)
    player.until_shown("#table .bids li", bid)


def test_pages_fit_a_small_phone(quick_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(quick_site, "Roswitha", size=SMALLEST, touch=True)
    register(player)
    for path in ("/", "/rules", "/rules/perudo", "/games/new", f"/players/{player.name}"):
        player.go(path)
        assert player.sticks_out() == [], path
    the_first_steps_of_the_tutorial(player)
    an_avatar_and_a_theme(player)


def an_avatar_and_a_theme(player: FirefoxPlayer) -> None:
    player.go("/account/")
    assert player.sticks_out() == []
    player.click(".faces-grid label", "Puma")
    player.tab_to("select[name=theme]")
    player.press("End")
    player.click("button", "Save")
    player.until_shown(".messages", "Settings saved.")
    assert player.evaluate("() => document.documentElement.dataset.theme") == "dark"
    assert player.evaluate("() => document.querySelector('[value=puma]').checked")
    assert player.sticks_out() == []


def test_what_breaks_on_a_page_is_noticed(quick_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(quick_site)
    player.go("/")
    assert player.troubles == []
    player.evaluate("() => void setTimeout(() => { nothingAtAll(); })")
    player.until(lambda: "nothingAtAll" in player.troubles_now())
    player.evaluate(
        """() => document.body.append(
          Object.assign(document.createElement("script"), { textContent: "0" }))"""
    )
    player.until(lambda: "Content-Security-Policy" in player.troubles_now())
    player.evaluate("() => fetch('/games/nobody').then(() => null)")
    player.until(lambda: "/games/nobody: 404" in player.troubles_now())
    player.troubles.clear()
