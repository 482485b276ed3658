"""The earlier rounds at a table: moves do not disturb a reader, who misses none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, is_over, play, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e


def test_they_stay_open_while_the_game_goes_on_and_grow_with_it(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Reader", viewport={"width": 1280, "height": 800})
    player.register()
    player.play_now(bots=2)
    story = player.page.locator("#story")
    lines = story.locator("li")

    def earlier() -> int:
        told: int = player.page.evaluate("Number(document.getElementById('table').dataset.earlier)")
        return told

    expect(story).to_be_hidden()
    top = player.page.locator("#move-form").evaluate("(form) => form.offsetTop")
    play([player], until=lambda: earlier() >= 2)
    expect(story).to_be_visible()
    assert player.page.locator("#move-form").evaluate("(form) => form.offsetTop") == top, "it moved"
    assert lines.count() == 0  # nothing is fetched unless somebody reads it
    story.locator("summary").click()
    wait_for(lambda: lines.count() == earlier(), player)

    before = earlier()
    play([player], until=lambda: earlier() > before or is_over(player))
    expect(story).to_have_attribute("open", "")
    wait_for(lambda: lines.count() == earlier() > before, player)
    newest = lines.first.locator("b").inner_text()
    assert newest == f"{earlier()}."
