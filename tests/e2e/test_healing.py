"""A server that dies and a browser that is closed: people come back to what they left."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import QUICK
from tests.e2e.player import PATIENCE, Player, eventually
from tests.faults.line import line_to
from tests.live import LiveSite

pytestmark = pytest.mark.e2e


@pytest.mark.slow
def test_a_table_heals_when_the_server_was_killed(
    new_site: Callable[..., LiveSite], newcomer: Callable[..., Player]
) -> None:
    site = new_site(**QUICK)
    site.start()
    player, watcher = newcomer(site), newcomer(site)
    player.play_now(bots=2)
    player.wait_for_turn()
    watcher.go("/")
    hand, old = player.hand.get_attribute("aria-label"), player.seq
    with player.excused(), watcher.excused():
        site.kill()
        for page in (player, watcher):
            expect(page.banner).to_be_visible()
            expect(page.banner).to_contain_text("Reconnecting")
        site.start()
        for page in (player, watcher):
            expect(page.banner).to_be_hidden(timeout=PATIENCE * 1000)
    eventually(lambda: player.seq > old, player)  # the turn starts again: nobody loses time
    assert player.sees() == player.sees_afresh()
    assert player.hand.get_attribute("aria-label") == hand
    assert player.choose("dudo" if player.may("dudo") else "bid")
    # The lobby reconnects, too.
    host = newcomer(site)
    host.go("/account/login/")
    host.button("Play as a guest").click()
    address = host.open_table()
    expect(watcher.page.locator(f"a[href='{address}']")).to_be_visible()


def test_closing_the_browser_keeps_the_seat(
    quick_site: LiveSite, newcomer: Callable[..., Player]
) -> None:
    player = newcomer(quick_site)
    address = player.play_now(bots=2)
    player.wait_for_turn()
    seen, cookies = player.sees(), player.page.context.storage_state()
    player.page.context.close()

    again = newcomer(quick_site, storage_state=cookies)
    again.go("/")
    again.page.get_by_role("region", name="Back to your game").get_by_role("link").click()
    assert again.address() == address
    eventually(lambda: again.sees() == seen, again)  # once the page's script has run
    assert again.choose("dudo" if again.may("dudo") else "bid")


def test_a_silently_dead_connection_is_replaced_after_the_next_action(
    quick_site: LiveSite, newcomer: Callable[..., Player]
) -> None:
    with line_to(quick_site.port) as line:
        player = newcomer(quick_site)
        player.site = line.url
        player.play_now(bots=1)
        player.wait_for_turn()
        eventually(lambda: bool(line.sockets), player)
        line.swallow()
        with player.excused():
            assert player.choose("dudo" if player.may("dudo") else "bid")
        # The bot may move between the two looks; then they are taken again.
        eventually(lambda: player.sees() == player.sees_afresh(), player)
        expect(player.banner).to_be_hidden()
        player.page.context.close()


def test_a_handshake_that_nobody_answers_is_tried_again(
    quick_site: LiveSite, newcomer: Callable[..., Player]
) -> None:
    with line_to(quick_site.port) as line:
        line.loses_handshakes = True
        player = newcomer(quick_site)
        player.site = line.url
        with player.excused():
            player.play_now(bots=1)
            eventually(lambda: bool(line.dead), player)
            line.loses_handshakes = False
            eventually(lambda: bool(line.sockets), player)
        player.wait_for_turn()
        assert player.choose("dudo" if player.may("dudo") else "bid")
        player.page.context.close()
