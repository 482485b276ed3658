"""A server that dies and a browser that is closed: people come back to what they left."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import QUICK
from tests.e2e.player import PATIENCE, Player, play, wait_for
from tests.support.live_site import LiveSite
from tests.support.stalling_proxy import StallingProxy, proxy_to

pytestmark = pytest.mark.e2e


def row_of(address: str, visitor: Player) -> Locator:
    """The row of a table in the lobby; what leads to the table is folded in it."""
    link = visitor.page.locator(f"a[href='{address}']")
    return visitor.page.locator(".table-row").filter(has=link)


@pytest.mark.slow
def test_a_table_heals_when_the_server_was_killed(
    new_site: Callable[..., LiveSite], open_browser: Callable[..., Player]
) -> None:
    site = new_site(**QUICK)
    site.start()
    player, watcher = open_browser(site), open_browser(site)
    player.play_now(bots=2)
    player.wait_for_turn()
    watcher.go("/")
    hand, old = player.hand.get_attribute("aria-label"), player.seq
    with player.expecting_errors(), watcher.expecting_errors():
        site.kill()
        for page in (player, watcher):
            expect(page.banner).to_be_visible()
            expect(page.banner).to_contain_text("Reconnecting")
        site.start()
        for page in (player, watcher):
            expect(page.banner).to_be_hidden(timeout=PATIENCE * 1000)
    wait_for(lambda: player.seq > old, player)  # the turn starts again: nobody loses time
    assert player.shown_state() == player.state_on_fresh_page()
    assert player.hand.get_attribute("aria-label") == hand
    assert player.choose("dudo" if player.can("dudo") else "bid")
    # The lobby reconnects, too.
    host = open_browser(site)
    host.go("/account/login/")
    host.button("Play as a guest").click()
    address = host.open_table()
    expect(row_of(address, watcher)).to_be_visible()


def test_closing_the_browser_keeps_the_seat(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site)
    address = player.play_now(bots=2)
    player.wait_for_turn()
    seen, cookies = player.shown_state(), player.page.context.storage_state()
    player.page.context.close()

    again = open_browser(unhurried_site, storage_state=cookies)
    again.go("/")
    again.page.get_by_role("region", name="Back to your game").get_by_role("link").click()
    assert again.address() == address
    wait_for(lambda: again.shown_state() == seen, again)  # once the page's script has run
    assert again.choose("dudo" if again.can("dudo") else "bid")


def test_a_handshake_that_nobody_answers_is_tried_again(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    with proxy_to(unhurried_site.port) as line:
        line.loses_handshakes = True
        player = open_browser(unhurried_site)
        player.site = line.url
        with player.expecting_errors():
            player.play_now(bots=1)
            wait_for(lambda: bool(line.dead), player)
            line.loses_handshakes = False
            wait_for(lambda: bool(line.sockets), player)
        player.wait_for_turn()
        assert player.choose("dudo" if player.can("dudo") else "bid")
        player.page.context.close()


# --- interruptions: the socket is dead, and nothing has said so -----------------------------------

AT_ONCE = 6  # seconds, of which a page waits two and a half for an answer
SOCKET = "document.querySelector('[ws-connect]')['htmx-internal-data'].webSocket.socket"
HAS_HEARD = "document.body.dataset.line === ''"
INTERRUPTIONS = {
    "seen again": "document.dispatchEvent(new Event('visibilitychange'))",
    "resumed": "document.dispatchEvent(new Event('resume'))",
    "online again": "window.dispatchEvent(new Event('online'))",
    "slept": "Date.now = ((now) => () => now() + 60_000)(Date.now)",
}


@pytest.fixture
def line(unhurried_site: LiveSite) -> Iterator[StallingProxy]:
    with proxy_to(unhurried_site.port) as line:
        yield line


def on(line: StallingProxy, site: LiveSite, open_browser: Callable[..., Player]) -> Player:
    """A player whose turn it is, with a socket on this line by which moves go."""
    player = open_browser(site)
    player.site = line.url
    player.play_now(bots=1)
    player.wait_for_turn()
    wait_for(lambda: bool(line.sockets), player)
    # Its first message has come: until then moves are posted.
    player.page.wait_for_function(f"() => {SOCKET}.readyState === 1 && {HAS_HEARD}")
    return player


def moves_elsewhere(player: Player) -> int:
    """Bid from another place, as another tab would; the number of what this page showed."""
    page, before = player.page, player.seq
    form = page.evaluate("Object.fromEntries(new FormData(document.getElementById('move-form')))")
    player.post(f"{player.address()}/move", **form | {"do": "bid"})
    return before


def test_a_silently_dead_connection_is_replaced_after_the_next_action(
    unhurried_site: LiveSite, open_browser: Callable[..., Player], line: StallingProxy
) -> None:
    player = on(line, unhurried_site, open_browser)
    line.stall()
    do = "dudo" if player.can("dudo") else "bid"
    with player.expecting_errors():
        player.page.locator(f"#own button[value={do}]").click()
        expect(player.page.locator("#notice")).to_contain_text("The site isn't answering.")
    assert player.choose(do)
    # The bot may move between the two looks; then they are taken again.
    wait_for(lambda: player.shown_state() == player.state_on_fresh_page(), player)
    expect(player.banner).to_be_hidden()


@pytest.mark.parametrize("how", INTERRUPTIONS)
def test_a_page_whose_socket_died_is_current_at_once_after_an_interruption(
    unhurried_site: LiveSite, open_browser: Callable[..., Player], line: StallingProxy, how: str
) -> None:
    player = on(line, unhurried_site, open_browser)
    line.stall()
    before = moves_elsewhere(player)
    player.page.wait_for_timeout(300)
    assert player.seq == before
    player.page.evaluate(INTERRUPTIONS[how])
    wait_for(lambda: player.seq > before, player, patience=AT_ONCE)
    wait_for(lambda: player.shown_state() == player.state_on_fresh_page(), player)
    expect(player.banner).to_be_hidden()


def test_a_page_that_was_frozen_is_current_at_once(
    unhurried_site: LiveSite, open_browser: Callable[..., Player], line: StallingProxy
) -> None:
    player = on(line, unhurried_site, open_browser)
    browser = player.page.context.new_cdp_session(player.page)
    browser.send("Page.setWebLifecycleState", {"state": "frozen"})
    line.stall()
    browser.send("Page.setWebLifecycleState", {"state": "active"})
    before = moves_elsewhere(player)
    player.page.evaluate("document.dispatchEvent(new Event('resume'))")
    wait_for(lambda: player.seq > before, player, patience=AT_ONCE)


def test_online_with_a_dead_socket_does_not_hide_the_banner(
    unhurried_site: LiveSite, open_browser: Callable[..., Player], line: StallingProxy
) -> None:
    player = on(line, unhurried_site, open_browser)
    line.stall()
    line.loses_handshakes = True
    with player.expecting_errors():
        player.page.evaluate("window.dispatchEvent(new Event('offline'))")
        expect(player.banner).to_contain_text("Connection lost.")
        player.page.evaluate("window.dispatchEvent(new Event('online'))")
        player.page.wait_for_timeout(3_000)
        expect(player.banner).to_contain_text("Connection lost.")
        line.loses_handshakes = False
        expect(player.banner).to_be_hidden(timeout=PATIENCE * 1000)


def test_a_living_socket_is_kept_when_the_page_is_seen_again(
    unhurried_site: LiveSite, open_browser: Callable[..., Player], line: StallingProxy
) -> None:
    player = on(line, unhurried_site, open_browser)
    player.page.wait_for_timeout(500)
    sockets = len(line.sockets)
    player.page.evaluate(INTERRUPTIONS["seen again"])
    player.page.wait_for_timeout(3_500)
    assert len(line.sockets) == sockets


@pytest.mark.parametrize("code", [1000, 3000])
def test_a_socket_that_ends_for_any_other_reason_is_opened_again(
    unhurried_site: LiveSite, open_browser: Callable[..., Player], line: StallingProxy, code: int
) -> None:
    player = on(line, unhurried_site, open_browser)
    sockets = len(line.sockets)
    player.page.evaluate(f"{SOCKET}.close({code})")
    wait_for(lambda: len(line.sockets) > sockets, player, patience=AT_ONCE)
    before = moves_elsewhere(player)
    player.wait_for_newer(before)


# --- no WebSocket at all -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", ["perudo", "peco_peco"])
def test_where_no_socket_gets_through_pages_look_by_request_and_say_so(
    unhurried_site: LiveSite, open_browser: Callable[..., Player], line: StallingProxy, game: str
) -> None:
    """A player, a spectator and the lobby; and they come back when a socket gets through."""
    line.refuses_sockets = True
    player, watcher, visitor = (open_browser(unhurried_site) for _ in range(3))
    for each in (player, watcher, visitor):
        each.site = line.url
    with player.expecting_errors(), watcher.expecting_errors(), visitor.expecting_errors():
        player.go(player.post("/play-now", game=game, bots="3", strength="mixed"))
        watcher.go(player.address())
        visitor.go("/")
        for each in (player, watcher, visitor):
            expect(each.banner).to_contain_text("No live connection", timeout=20_000)
        player.page.locator("#talk-panel summary").click()  # folded against bots
        player.button("Good luck!").click()
        for each in (player, watcher):
            expect(each.page.locator("#talk")).to_contain_text("Good luck!", timeout=10_000)
        if game == "perudo":
            before = player.seq
            play([player], until=lambda: player.seq > before + 3)
        wait_for(lambda: watcher.shown_state() == watcher.state_on_fresh_page(), watcher)
        wait_for(lambda: player.shown_state() == player.state_on_fresh_page(), player)
        address = player.open_table()
        expect(row_of(address, visitor)).to_be_visible(timeout=10_000)
        line.refuses_sockets = False
        for each in (watcher, visitor):
            expect(each.banner).to_be_hidden(timeout=60_000)
    assert len(line.sockets) >= 2
