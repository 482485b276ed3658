"""A press counts once for what the screen shows, and again as soon as the screen has moved on.

By POST; tests/e2e/test_moves_over_a_socket.py has the same over a socket.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.player import Player, play
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]


def at_a_doubt(site: LiveSite, open_browser: OpenBrowser) -> Player:
    player = open_browser(site)
    player.move_by_post()
    player.play_now(bots=2)
    play([player], until=lambda: player.my_turn and player.can("dudo"))
    return player


def test_the_next_press_does_not_wait_for_the_answer_to_the_last(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = at_a_doubt(unhurried_site, open_browser)
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)
            route.fetch()  # the server hears it and the socket moves the screen

    player.page.route("**/move", hold_the_first)
    player.button("Dudo!").click()
    seen_it = player.button("Continue")
    expect(seen_it).to_be_visible()
    revealed = player.seq
    with player.expecting_errors():  # htmx reports that it no longer waits for the first answer
        seen_it.click()
        player.wait_for_newer(revealed)
    assert len(held) == 1
    expect(seen_it).to_be_hidden()


def test_a_second_press_on_the_same_screen_is_not_sent(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = at_a_doubt(unhurried_site, open_browser)
    sent: list[str] = []

    def swallow(route: Route) -> None:
        sent.append(route.request.url)  # never answered: the screen stays as it is

    player.page.route("**/move", swallow)
    player.button("Dudo!").focus()
    player.page.keyboard.press("Enter")
    player.page.keyboard.press("Enter")
    player.page.wait_for_timeout(300)
    assert len(sent) == 1
