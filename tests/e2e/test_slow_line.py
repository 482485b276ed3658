"""A line on which every answer takes seconds: people play and talk, and nothing is called lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.player import Player, wait_for
from tests.support.live_site import LiveSite
from tests.support.stalling_proxy import StallingProxy, proxy_to

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenBrowser = Callable[..., Player]
DELAY = 5.5  # seconds, longer than a ping, a move or its echo may take on other lines
PATIENT = 60_000  # ms

# What the page says of its connection and of what was sent.
RECORD = """addEventListener("DOMContentLoaded", () => {
  window.told = [];
  const banner = document.getElementById("banner"), notice = document.getElementById("notice");
  new MutationObserver(() => banner.hidden || told.push(document.body.dataset.line))
    .observe(banner, { attributes: true });
  new MutationObserver(() => {
    for (const { dataset } of notice.querySelectorAll("[data-failure]")) told.push(dataset.failure);
  }).observe(notice, { childList: true });
})"""


@pytest.fixture
def line(unhurried_site: LiveSite) -> Iterator[StallingProxy]:
    with proxy_to(unhurried_site.port) as line:
        yield line


def at_a_table(player: Player) -> None:
    """At somebody's turn, where people write."""
    player.play_now(bots=1)  # as a guest
    table = player.open_table(seats=2)
    player.post(f"{table}/add-bot", kind="steady")
    player.post(f"{table}/start")
    player.wait_for_turn()


def press(player: Player) -> None:
    player.page.locator("#own button[value=dudo], #own button[value=bid]").first.click()


def until_newer(player: Player, seq: int) -> None:
    wait_for(lambda: player.seq > seq, player)


def test_on_a_slow_line_nothing_is_called_lost_while_answers_come(
    unhurried_site: LiveSite, open_browser: OpenBrowser, line: StallingProxy
) -> None:
    player = open_browser(unhurried_site)
    player.site = line.url
    at_a_table(player)
    page = player.page
    page.add_init_script(RECORD)
    line.delay = DELAY
    page.reload(timeout=PATIENT)
    page.wait_for_timeout(2_500 * DELAY)  # its socket is open and current
    assert len(line.sockets) >= 1
    before, sockets = player.seq, set(line.sockets)
    press(player)  # over the socket
    until_newer(player, before)
    page.evaluate("document.dispatchEvent(new Event('resume'))")  # it looks
    page.wait_for_timeout(1_500 * DELAY)
    page.evaluate(
        """() => {
          const text = document.getElementById("say-text");
          text.value = "Slow, but here";
          text.form.requestSubmit();
        }"""
    )
    expect(page.locator("#talk")).to_contain_text("Slow, but here", timeout=PATIENT)
    page.wait_for_timeout(1_500 * DELAY)
    expect(page.locator("#say-text")).to_have_value("")
    assert page.evaluate("told") == []
    assert line.sockets == sockets  # none was given up
    line.delay = 0


def test_a_move_whose_answer_is_lost_is_not_called_lost_where_the_table_shows_it(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    player.page.add_init_script(RECORD)

    def without_answers(page: WebSocketRoute) -> None:
        site = page.connect_to_server()
        site.on_message(lambda said: None if str(said).startswith("{") else page.send(said))

    player.page.route_web_socket(re.compile("/ws/games/"), without_answers)
    at_a_table(player)
    player.page.wait_for_timeout(1_000)
    before = player.seq
    press(player)
    player.wait_for_newer(before)
    player.page.wait_for_timeout(6_000)
    assert set(player.page.evaluate("told")) <= {"slow"}
    expect(player.page.locator("#notice > .notice")).to_have_count(0)
