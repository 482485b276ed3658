"""Times are the reader's own where a script runs, and say UTC where none does."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, is_over, play
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

WRITTEN = """([zone, locale]) => [...document.querySelectorAll("time")].map((time) => [
  time.textContent, time.title, new Date(time.dateTime).toLocaleString(locale, {
    timeZone: zone, dateStyle: time.dataset.form === "long_date" ? "long" : "medium",
    timeStyle: { date_time: "short", exact_time: "medium" }[time.dataset.form] })])"""


@pytest.mark.slow
def test_a_profile_and_a_replay_are_in_the_readers_zone(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Zita")
    player.register()
    player.play_now(bots=1)
    play([player], until=lambda: is_over(player))
    game = player.address()
    for zone, locale in (("Asia/Kathmandu", "fr-CA"), ("America/St_Johns", "en-GB")):
        reader = open_browser(unhurried_site, timezone_id=zone, locale=locale)
        for path, many in (("/players/Zita", 2), (f"{game}/replay", 1)):
            reader.go(path)
            reader.page.wait_for_function("() => document.querySelector('time').title")
            written = reader.page.evaluate(WRITTEN, [zone, locale])
            assert len(written) == many
            for told, before, expected in written:
                assert told == expected
                assert ("UTC" in before) == bool(re.search(r"\d[:h ]+\d\d", told)), before
        reader.page.keyboard.press("ArrowRight")
        expect(reader.page.locator(".where")).to_contain_text(re.compile("^2 "))
        for told, _, expected in reader.page.evaluate(WRITTEN, [zone, locale]):
            assert told == expected
    bare = open_browser(unhurried_site, java_script_enabled=False, timezone_id="Asia/Kathmandu")
    bare.go(f"{game}/replay")
    time = bare.page.locator("time")
    assert time.inner_text().endswith("UTC")
    assert datetime.fromisoformat(str(time.get_attribute("datetime"))).utcoffset() is not None
