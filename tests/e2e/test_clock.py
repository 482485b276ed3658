"""Countdowns and locks hang on the server's clock and on time that passes, never on a device's."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.player import Player, play, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
# A device whose clock can be set: `set` is by how many milliseconds it is wrong.
DEVICE = """(() => {
  const right = Date.now, Right = Date;
  window.set = %d;
  Date = class extends Right {
    constructor(...given) { super(...(given.length ? given : [Date.now()])); }
    static now() { return right() + window.set; }
  };
  const { timeOrigin } = performance;
  Object.defineProperty(performance, "timeOrigin", { get: () => timeOrigin + %d });
})()"""
SECONDS = """() => {
  const [minutes, seconds] = document.querySelector("[data-digits]").textContent.split(":");
  return minutes * 60 + Number(seconds);
}"""
TURN = 600  # seconds, at these tables


def seconds_left(player: Player) -> float:
    """What the clock of the table shows."""
    digits = player.page.locator("[data-digits]").first
    expect(digits).to_have_text(re.compile(r"^\d+:\d\d$"))
    left: float = player.page.evaluate(SECONDS)
    return left


@pytest.mark.parametrize("wrong", [-3_600_000, 0, 3_600_000])
def test_a_device_whose_clock_is_wrong_or_is_set_shows_the_same(
    unhurried_site: LiveSite, open_browser: OpenBrowser, wrong: int
) -> None:
    player = open_browser(unhurried_site)
    player.page.add_init_script(DEVICE % (wrong, wrong))
    player.play_now(bots=2)
    play([player], until=lambda: player.my_turn and player.can("bid"))
    assert TURN - 30 < seconds_left(player) <= TURN
    for set_to in (-7_200_000, 7_200_000):
        player.page.evaluate(f"window.set = {set_to}")
        player.page.wait_for_timeout(450)  # what is shown is five times a second
        assert TURN - 40 < seconds_left(player) <= TURN
    # The lock of Dudo! (CALZA_DELAY_MS) opens in time.
    player.page.evaluate("window.set = -3600000")
    assert player.choose("bid")
    play([player], until=lambda: player.my_turn and player.can("dudo"))


def test_a_lock_opens_in_its_time_on_a_device_that_is_an_hour_slow(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """Set back while the page was open."""
    player = open_browser(unhurried_site)
    player.page.add_init_script(DEVICE % (0, 0))
    player.play_now(bots=1)
    play([player], until=lambda: player.my_turn and player.can("bid"))
    player.page.evaluate("window.set = -3600000")
    for _ in range(3):
        play([player], until=lambda: player.my_turn and player.can("bid"))
        button = player.page.locator("#own button[value=bid]")
        expect(button).to_be_enabled()
        assert player.choose("bid")


def test_after_a_sleep_the_first_message_puts_the_clock_right(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """In some browsers the timer stands still meanwhile: it is behind by how long that was."""
    player = open_browser(unhurried_site)
    code = player.play_now(bots=2)
    play([player], until=lambda: player.my_turn and player.can("bid"))
    before = seconds_left(player)
    behind = player.page.evaluate("document.documentElement.dataset.ahead - 120000")

    def is_behind() -> bool:
        # Again each time: a heartbeat may have put it right meanwhile.
        player.page.evaluate("(at) => { document.documentElement.dataset.ahead = at; }", behind)
        return seconds_left(player) > before + 60

    wait_for(is_behind, player)
    player.post(f"{code}/say", phrase="hello")
    wait_for(lambda: seconds_left(player) <= before, player)
    assert before - 30 < seconds_left(player)


def test_a_message_that_came_late_makes_no_clock_slower(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    later(player.page, ms=-3_000)
    code = player.play_now(bots=2)
    play([player], until=lambda: player.my_turn and player.can("bid"))
    player.post(f"{code}/say", phrase="hello")
    expect(player.page.locator("#talk li:not(.soft)")).not_to_have_count(0)
    assert seconds_left(player) <= TURN


def later(page: Page, *, ms: int) -> None:
    """Each message of the socket says a time that is later by so much than the server's."""

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            text = message if isinstance(message, str) else message.decode()
            route.send(re.sub(r"(?<=<!-- now )\d+", lambda now: str(int(now[0]) + ms), text))

        server.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/"), connect)
