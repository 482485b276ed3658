"""Sounds and vibration are offered once, in the first game; their loudness is the player's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, is_over, play, wait_for
from tests.e2e.test_accessible import assert_accessible
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]

TOUCH = """
window.buzzed = [];
navigator.vibrate = (pattern) => { buzzed.push(pattern); return true; };
window.gains = [];
window.AudioContext = class extends AudioContext {
  constructor(...options) { super(...options); (window.contexts ??= []).push(this); }
};
window.GainNode = class extends GainNode {
  constructor(...options) { super(...options); gains.push(this); }
};
"""
QUESTION = "#hint-sound"
LOUDNESS = "gains[0].gain.value"


def at_the_question(site: LiveSite, open_browser: OpenBrowser) -> Player:
    """In a first game, played until the other hints have been put away."""
    player = open_browser(site)
    player.page.add_init_script(TOUCH)
    player.play_now(bots=1)
    play([player], until=lambda: player.page.locator(QUESTION).is_visible())
    return player


def test_sounds_are_offered_once_with_a_volume_that_is_kept_and_the_device_vibrates(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = at_the_question(unhurried_site, open_browser)
    volume = player.page.get_by_label("Volume")
    expect(volume).to_be_hidden()
    assert player.page.evaluate("buzzed") == []
    player.button("Turn on").click()
    expect(player.button("Sound")).to_have_attribute("aria-pressed", "true")
    wait_for(lambda: player.page.evaluate("contexts[0]?.state") == "running", player)
    expect(player.page.locator(QUESTION)).to_be_hidden()
    assert_accessible(player)

    usual = player.page.evaluate(LOUDNESS)
    volume.fill("3")
    assert 0 < player.page.evaluate(LOUDNESS) < usual
    volume.fill("0")
    assert player.page.evaluate(LOUDNESS) == 0

    felt: list[object] = []

    def has_felt_both() -> bool:
        felt.extend(player.page.evaluate("buzzed.splice(0)"))
        return (60 in felt and [90, 60, 90] in felt) or is_over(player)

    play([player], until=has_felt_both)
    assert 60 in felt
    assert [90, 60, 90] in felt or is_over(player)

    player.page.reload()
    expect(player.button("Sound")).to_have_attribute("aria-pressed", "true")
    expect(volume).to_have_value("0")
    expect(player.page.locator(QUESTION)).to_be_hidden()


def test_who_says_no_is_not_asked_again(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = at_the_question(unhurried_site, open_browser)
    player.button("Hide this hint").click()
    expect(player.page.locator(QUESTION)).to_be_hidden()
    player.play_now(bots=2)
    player.wait_for_turn()
    expect(player.page.locator(QUESTION)).to_be_hidden()
    expect(player.button("Sound")).to_have_attribute("aria-pressed", "false")
    assert player.page.evaluate("buzzed") == []
