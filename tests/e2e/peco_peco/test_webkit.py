"""Peco Peco in WebKit: a whole game against two bots, and a reload in the midst."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.peco_peco.presses import Presses
from tests.e2e.webkit_player import WebKitPlayer
from tests.live import LiveSite

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_a_whole_game_against_bots(
    quick_site: LiveSite, open_webkit: Callable[..., WebKitPlayer]
) -> None:
    player = open_webkit(quick_site, size=(390, 700), calm=True)
    player.go("/")
    assert player.evaluate("() => matchMedia('(prefers-reduced-motion: reduce)').matches")
    player.tab_to("#hero-peco_peco ~ .play-now select")
    player.press("2")  # opponents: the game is short, and dishes are stolen
    player.click("#hero-peco_peco ~ .play-now button")
    player.until_shown("#own .hand .animal-card")
    presses = Presses(player)
    presses.until_a_round_is_over()
    assert {"play", "declare"} <= {*presses.made}
    player.until_shown("#table .verdict, #table .ranking")
    assert player.sticks_out() == []
    seen = player.sees()
    player.reload()
    assert player.sees() == seen
    presses.until_the_game_is_over()
    player.until_shown("#own .ended")
    assert player.sticks_out() == []
    player.click("a", "Watch the replay")
    player.until_shown(".where", "1 of ")
    assert player.sticks_out() == []
