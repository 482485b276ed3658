"""The screen stays on while a game runs in sight, and only then."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.player import Player, is_over, play, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

# Counts the locks that are held; `away` and `back` do what a browser does when a page is hidden.
WATCH = """
window.held = new Set();
let hidden = false;
Object.defineProperty(document, "hidden", { get: () => hidden });
Object.defineProperty(navigator, "wakeLock", { value: {
  async request() {
    if (hidden) throw new DOMException("hidden", "NotAllowedError");
    const lock = { released: false, async release() { this.released = true; held.delete(this); } };
    held.add(lock);
    return lock;
  },
} });
const look = (to) => { hidden = to; document.dispatchEvent(new Event("visibilitychange")); };
window.away = () => { for (const lock of [...held]) lock.release(); look(true); };
window.back = () => look(false);
"""


def test_the_screen_stays_on_while_a_game_runs_in_sight(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Wanda")
    player.page.add_init_script(WATCH)
    player.register()
    player.open_table(seats=2)

    def held() -> int:
        count: int = player.page.evaluate("held.size")
        return count

    assert held() == 0
    player.button("Easy", exact=True).click()
    player.button("Start the game").click()
    player.wait_for_phase("turn")
    wait_for(lambda: held() == 1, player)
    player.page.evaluate("away()")
    assert held() == 0
    player.page.evaluate("back()")
    wait_for(lambda: held() == 1, player)
    play([player], until=lambda: is_over(player))
    wait_for(lambda: held() == 0, player)


def test_leaving_the_page_lets_the_screen_go(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site)
    player.page.add_init_script(WATCH)
    player.play_now(bots=1)
    wait_for(lambda: player.page.evaluate("held.size") == 1, player)
    player.page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    assert player.page.evaluate("held.size") == 0
