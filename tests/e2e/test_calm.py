"""A calm table: what comes and goes does not push about what people look at."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.e2e.player import GAME_PATIENCE, Player, is_over, play
from tests.live import LiveSite

# Layout shifts are counted frame by frame: nothing else should slow the frames down.
pytestmark = [pytest.mark.e2e, pytest.mark.alone]

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
      shifts.push([shift.startTime, shift.value, moved]);
    }
  }).observe({ type: "layout-shift" });
}"""


# Buttons are pressed by script: what a real click moves within half a second would not count.
PRESS = "(does) => document.querySelector(`#own button[value=${does}]:enabled`)?.click()"


SIZES = pytest.mark.parametrize("size", [(360, 740), (1280, 800)], ids=["phone", "desktop"])


def press_on(player: Player) -> None:
    for does in ("confirm", "dudo", "bid"):
        if player.may(does):
            player.page.evaluate(PRESS, does)
            break
    player.page.wait_for_timeout(100)


def watched(player: Player, *, bots: int) -> Player:
    """A player on turn at a table, with every layout shift recorded from now on."""
    player.play_now(bots=bots)
    play([player], until=lambda: player.my_turn and player.may("bid"))
    player.page.evaluate("scrollTo(0, 0)")
    player.page.wait_for_timeout(600)  # beyond the last real click
    player.page.evaluate(WATCH)
    return player


def worst_window(shifts: list[tuple[float, float, list[str]]]) -> float:
    """The score as browsers calculate it: the worst 5 s of shifts less than a second apart."""
    worst = window = 0.0
    began = last = float("-inf")
    for at, value, _ in shifts:
        if at - last > 1_000 or at - began > 5_000:
            began, window = at, 0.0
        window, last = window + value, at
        worst = max(worst, window)
    return worst


def moving(width: int, height: int) -> dict[str, object]:
    """The options of a browser whose animations run."""
    return {"viewport": {"width": width, "height": height}, "reduced_motion": "no-preference"}


@SIZES
def test_a_round_and_its_reveal_push_nothing_about(
    quick_site: LiveSite, newcomer: Callable[..., Player], size: tuple[int, int]
) -> None:
    player = watched(newcomer(quick_site, **moving(*size)), bots=3)
    page = player.page
    ribbon = page.locator(".ribbon")
    opening, revealed = ribbon.inner_text(), False
    deadline = time.monotonic() + GAME_PATIENCE
    while not (revealed and player.my_turn and ribbon.inner_text() != opening):
        assert time.monotonic() < deadline, "the round does not end"
        if player.phase == "reveal" and not revealed:
            revealed = True
            page.wait_for_timeout(2_000)  # cups lift, dice light up, the sentence appears
        press_on(player)
    shifts = page.evaluate("shifts")
    assert sum(value for _, value, _ in shifts) <= MOST_SHIFT, shifts


@SIZES
def test_nothing_jumps_in_a_whole_game(
    quick_site: LiveSite, newcomer: Callable[..., Player], size: tuple[int, int]
) -> None:
    player = watched(newcomer(quick_site, **moving(*size)), bots=1)
    deadline = time.monotonic() + GAME_PATIENCE
    while not is_over(player):
        assert time.monotonic() < deadline, "the game does not end"
        press_on(player)
    player.page.wait_for_timeout(500)  # the ranking
    shifts = player.page.evaluate("shifts")
    assert worst_window(shifts) <= MOST_SHIFT, shifts
