"""A calm table: what comes and goes does not push about what people look at."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.e2e.player import GAME_PATIENCE, Player, play
from tests.live import LiveSite

pytestmark = pytest.mark.e2e

# The good score of https://web.dev/cls is 0.1 for a whole visit; half of it for a stretch of play.
MOST_SHIFT = 0.05

# Notes what moved without the reader's doing, and from where to where.
WATCH = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      if (shift.hadRecentInput) continue;
      const moved = shift.sources.map(({ node, previousRect: a, currentRect: b }) =>
        `${node?.nodeName}.${node?.className?.baseVal ?? node?.className} ` +
        `${a.x},${a.y} ${a.width}x${a.height} -> ${b.x},${b.y} ${b.width}x${b.height}`);
      shifts.push([shift.value, moved]);
    }
  }).observe({ type: "layout-shift" });
}"""


# Buttons are pressed by script: what a real click moves within half a second would not count.
PRESS = "(does) => document.querySelector(`#own button[value=${does}]:enabled`)?.click()"


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)], ids=["phone", "desktop"])
def test_a_round_and_its_reveal_push_nothing_about(
    quick_site: LiveSite, newcomer: Callable[..., Player], size: tuple[int, int]
) -> None:
    width, height = size
    player = newcomer(quick_site, viewport={"width": width, "height": height})
    page = player.page
    player.play_now(bots=3)
    play([player], until=lambda: player.my_turn and player.may("bid"))
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(600)  # beyond the last real click
    page.evaluate(WATCH)
    ribbon = page.locator(".ribbon")
    opening, revealed = ribbon.inner_text(), False
    deadline = time.monotonic() + GAME_PATIENCE
    while not (revealed and player.my_turn and ribbon.inner_text() != opening):
        assert time.monotonic() < deadline, "the round does not end"
        if player.phase == "reveal" and not revealed:
            revealed = True
            page.wait_for_timeout(2_000)  # cups lift, dice light up, the sentence appears
        for does in ("confirm", "dudo", "bid"):
            if player.may(does):
                page.evaluate(PRESS, does)
                break
        page.wait_for_timeout(100)
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) <= MOST_SHIFT, shifts
