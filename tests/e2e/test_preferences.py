"""What a person chose on this device survives that it is kept under other names now."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]

BEFORE = {"keys": "off", "sound": "on", "volume": "3", "hints": "hint-a hint-b", "notify": "off"}


def test_choices_are_carried_over_from_their_old_names(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    player.play_now(bots=2)
    page = player.page
    page.evaluate(
        "old => { localStorage.clear();"
        " for (const [name, value] of Object.entries(old))"
        " localStorage.setItem(`perudo-${name}`, value); }",
        BEFORE,
    )
    page.reload()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#keys input")).not_to_be_checked()
    assert page.evaluate("document.getElementById('volume').control.value") == "3"
    kept = page.evaluate("Object.fromEntries(Object.entries(localStorage))")
    assert {name: kept[f"table-{name}"] for name in BEFORE} == BEFORE


def test_a_choice_made_since_is_not_overwritten_by_the_old_one(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    player.play_now(bots=2)
    page = player.page
    page.evaluate(
        "localStorage.setItem('perudo-keys', 'off'); localStorage.setItem('table-keys', 'on')"
    )
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(page.locator("#keys input")).to_be_checked()
