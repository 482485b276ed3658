"""Peco Peco in Firefox: a round against bots by presses alone, and its pages on a small phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.firefox_player import FirefoxPlayer
from tests.e2e.peco_peco.presses import Presses
from tests.live import LiveSite

# Among the first, and so one after the other: each worker that comes to one launches a Firefox.
pytestmark = [pytest.mark.e2e, pytest.mark.slow]

Arrive = Callable[..., FirefoxPlayer]


def test_a_round_against_bots(quick_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(quick_site, size=(360, 740), touch=True)
    player.go("/")
    player.click("#hero-peco_peco ~ .play-now button")
    player.until_shown("#own .hand .animal-card")
    presses = Presses(player)
    presses.until_a_round_is_over()
    assert {"play", "declare"} <= {*presses.made}
    player.until_shown("#table .verdict, #table .ranking")
    assert player.sticks_out() == []


def test_pages_fit_a_small_phone(shared_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(shared_site, size=(320, 640), touch=True)
    for path in ("/rules/peco_peco", "/games/new?game=peco_peco", "/learn/peco_peco"):
        player.go(path)
        assert player.sticks_out() == [], path
    player.click("a", "Start with step 1")
    player.click("#own .held:has([value='E'])")
    player.click("#own .play")
    player.until_shown(".reply.is-right")
    player.click("a", "Next step")
    player.until_shown(".where", "Step 2 of 10")
    player.click("button", "I can't play")
    player.until_shown(".reply", "Play your mouse")
    player.click("#own .held:has([value='M'])")
    player.click("#own .play")
    player.until_shown(".reply.is-right")
    assert player.sticks_out() == []
