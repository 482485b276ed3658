"""Peco Peco in Firefox: a round against bots by presses alone, and its pages on a small phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.firefox_player import FirefoxPlayer
from tests.e2e.peco_peco.presses import Presses
from tests.support.live_site import LiveSite

# Among the first, and so one after the other: each worker that comes to one launches a Firefox.
pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenFirefox = Callable[..., FirefoxPlayer]


def test_a_round_against_bots(unhurried_site: LiveSite, open_firefox: OpenFirefox) -> None:
    player = open_firefox(unhurried_site, size=(360, 740), touch=True)
    player.go("/bots")
    player.click("#hero-peco_peco ~ .play-now button")
    player.wait_until_shown("#own .hand .animal-card")
    presses = Presses(player)
    presses.play_a_round()
    assert {"play", "declare"} <= {*presses.made}
    player.wait_until_shown("#table .verdict, #table .ranking")
    assert player.wider_than_screen() == []


def test_pages_fit_a_small_phone(shared_site: LiveSite, open_firefox: OpenFirefox) -> None:
    player = open_firefox(shared_site, size=(320, 640), touch=True)
    for path in ("/rules/peco_peco", "/games/new?game=peco_peco", "/learn/peco_peco"):
        player.go(path)
        assert player.wider_than_screen() == [], path
    player.click("a", "Start with step 1")
    player.click("#own .held:has([value='E'])")
    player.click("#own .play")
    player.wait_until_shown(".reply.is-right")
    player.click("a", "Next step")
    player.wait_until_shown(".where", "Step 2 of 10")
    player.click("button", "I can't play")
    player.wait_until_shown(".reply", "Play your mouse")
    player.click("#own .held:has([value='M'])")
    player.click("#own .play")
    player.wait_until_shown(".reply.is-right")
    assert player.wider_than_screen() == []
