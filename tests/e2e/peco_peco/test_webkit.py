"""Peco Peco in WebKit: a whole game against two bots, and a reload in the midst."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.peco_peco.presses import Presses
from tests.e2e.webkit_player import WebKitPlayer
from tests.support.live_site import LiveSite

pytestmark = [pytest.mark.e2e, pytest.mark.long]


def test_a_whole_game_against_bots(
    unhurried_site: LiveSite, open_webkit: Callable[..., WebKitPlayer]
) -> None:
    player = open_webkit(unhurried_site, size=(390, 700), calm=True)
    player.go("/bots")
    assert player.evaluate("() => matchMedia('(prefers-reduced-motion: reduce)').matches")
    player.tab_to("#hero-peco_peco ~ .play-now select")
    player.press("2")  # opponents: the game is short, and dishes are stolen
    player.click("#hero-peco_peco ~ .play-now button")
    player.wait_until_shown("#own .hand .animal-card")
    presses = Presses(player)
    presses.play_a_round()
    assert {"play", "declare"} <= {*presses.made}
    player.wait_until_shown("#table .verdict, #table .ranking")
    assert player.wider_than_screen() == []
    seen = player.shown_state()
    player.reload()
    assert player.shown_state() == seen
    presses.play_to_the_end()
    player.wait_until_shown("#own .ended")
    assert player.wider_than_screen() == []
    player.click("a", "Watch the replay")
    player.wait_until_shown(".where", " of ")
    assert player.wider_than_screen() == []
