"""A calm table: what comes and goes does not push about what people look at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from tests.e2e.player import GAME_PATIENCE, Player, is_over, play
from tests.support.live_site import LiveSite

# Layout shifts are counted frame by frame: nothing else should slow the frames down.
pytestmark = [pytest.mark.e2e, pytest.mark.alone]

# The good score of https://web.dev/cls is 0.1 for a whole visit; half of it for a stretch of play.
MOST_SHIFT = 0.05

Shift = tuple[float, float, list[str]]  # at which millisecond, the score, what moved

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

PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}


class Watched:
    """A player on turn who has the table open on a phone and on a desktop, with animations.

    Every layout shift on either screen is recorded from now on. The screens press in turn.
    """

    def __init__(self, player: Player, *, bots: int) -> None:
        address = player.play_now(bots=bots)
        play([player], until=lambda: player.my_turn and player.can("bid"))
        desktop = Player(player.page.context.new_page(), player.site)
        desktop.page.set_viewport_size(DESKTOP)
        desktop.go(address)
        self.screens = [player, desktop]
        player.page.evaluate("scrollTo(0, 0)")
        player.page.wait_for_timeout(600)  # beyond the last real click
        for screen in self.screens:
            screen.page.evaluate(WATCH)

    def press_on(self) -> None:
        self.screens.reverse()
        screen = self.screens[0]
        for does in ("confirm", "dudo", "bid"):
            if screen.can(does):
                screen.page.evaluate(PRESS, does)
                break
        screen.page.wait_for_timeout(100)

    def shifts(self) -> Iterator[list[Shift]]:
        """Those of each screen; nothing else went wrong there."""
        for screen in self.screens:
            assert not screen.errors
            yield screen.page.evaluate("shifts")


@pytest.fixture
def newcomer_on_a_phone(unhurried_site: LiveSite, open_browser: Callable[..., Player]) -> Player:
    return open_browser(unhurried_site, viewport=PHONE, reduced_motion="no-preference")


def worst_window(shifts: list[Shift]) -> float:
    """The score as browsers calculate it: the worst 5 s of shifts less than a second apart."""
    worst = window = 0.0
    began = last = float("-inf")
    for at, value, _ in shifts:
        if at - last > 1_000 or at - began > 5_000:
            began, window = at, 0.0
        window, last = window + value, at
        worst = max(worst, window)
    return worst


def test_a_round_and_its_reveal_push_nothing_about(newcomer_on_a_phone: Player) -> None:
    player = newcomer_on_a_phone
    watched = Watched(player, bots=3)
    ribbon = player.page.locator(".ribbon")
    opening, revealed = ribbon.inner_text(), False
    deadline = time.monotonic() + GAME_PATIENCE
    while not (revealed and player.my_turn and ribbon.inner_text() != opening):
        assert time.monotonic() < deadline, "the round does not end"
        if player.phase == "reveal" and not revealed:
            revealed = True
            player.page.wait_for_timeout(2_000)  # cups lift, dice light up, the sentence appears
        watched.press_on()
    for shifts in watched.shifts():
        assert sum(value for _, value, _ in shifts) <= MOST_SHIFT, shifts


def test_nothing_jumps_in_a_whole_game(newcomer_on_a_phone: Player) -> None:
    player = newcomer_on_a_phone
    watched = Watched(player, bots=1)
    deadline = time.monotonic() + GAME_PATIENCE
    while not is_over(player):
        assert time.monotonic() < deadline, "the game does not end"
        watched.press_on()
    player.page.wait_for_timeout(500)  # the ranking
    for shifts in watched.shifts():
        assert worst_window(shifts) <= MOST_SHIFT, shifts
