"""Moves in a browser: over the page's socket, once, and by POST where there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, WebSocket, WebSocketRoute, expect

from tests.e2e.player import Player, play
from tests.support.live_site import LiveSite
from tests.support.players import wait_for as wait_until
from tests.support.stalling_proxy import StallingProxy, proxy_to

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
PHONE = {"width": 360, "height": 740}


class Traffic:
    """The moves that a page has sent: over sockets, and by POST."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.is_current = False  # a socket has brought something
        self.over_sockets: list[str] = []
        self.posts: list[str] = []
        page.on("websocket", self._listen)
        page.on(
            "request",
            lambda request: request.url.endswith("/move") and self.posts.append(request.url),
        )

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._heard)

    def _heard(self, payload: str | bytes) -> None:
        self.is_current = True

    def wait(self) -> None:
        """Until moves go over the socket."""
        while not self.is_current:
            self.page.wait_for_timeout(50)

    def _sent(self, payload: str | bytes) -> None:
        if isinstance(payload, str) and payload.startswith("move "):
            self.over_sockets.append(payload)


@pytest.fixture
def line(unhurried_site: LiveSite) -> Iterator[StallingProxy]:
    with proxy_to(unhurried_site.port) as line:
        yield line


def at_a_turn(site: LiveSite, open_browser: OpenBrowser, *, url: str = "") -> Player:
    player = open_browser(site, viewport=PHONE)
    traffic = Traffic(player.page)
    player.site = url or player.site
    player.play_now(bots=1)
    player.wait_for_turn()
    traffic.wait()
    return player


def press(player: Player) -> None:
    player.page.locator("#own button[value=dudo], #own button[value=bid]").first.click()


def notice(player: Player) -> Locator:
    return player.page.locator("#notice")


def test_a_move_goes_over_the_socket_once_and_a_refusal_is_read(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, viewport=PHONE)
    traffic = Traffic(player.page)
    player.play_now(bots=1)
    player.wait_for_turn()
    traffic.wait()
    player.page.locator("#own [name=seen]").evaluate("(input) => (input.value = 0)")
    before = player.seq
    press(player)
    expect(notice(player)).to_contain_text("Too late")
    expect(player.page.locator(".htmx-request")).to_have_count(0)
    assert player.seq == before
    player.page.locator("#own [name=seen]").evaluate("(input, seq) => (input.value = seq)", before)
    button = player.page.locator("#own button[value=dudo], #own button[value=bid]").first
    button.evaluate("(element) => { element.click(); element.click(); }")  # twice by mistake
    player.wait_for_newer(before)
    expect(notice(player)).to_have_text("")
    assert len(traffic.over_sockets) == 2
    assert traffic.posts == []
    assert "csrf" not in "".join(traffic.over_sockets)


def test_where_no_socket_gets_through_a_move_is_posted(
    unhurried_site: LiveSite, open_browser: OpenBrowser, line: StallingProxy
) -> None:
    line.refuses_sockets = True
    player = open_browser(unhurried_site, viewport=PHONE)
    traffic = Traffic(player.page)
    player.site = line.url
    with player.expecting_errors():
        player.play_now(bots=1)
        player.wait_for_turn()
        before = player.seq
        press(player)
        player.wait_for_newer(before)
    assert len(traffic.posts) == 1
    assert traffic.over_sockets == []


@pytest.mark.parametrize("how", ["answers", "closes"])
def test_what_a_process_about_to_stop_does_not_try_is_posted(
    unhurried_site: LiveSite, open_browser: OpenBrowser, how: str
) -> None:
    player = open_browser(unhurried_site, viewport=PHONE)
    traffic = Traffic(player.page)

    def says_post(page: WebSocketRoute) -> None:
        site = page.connect_to_server()

        def from_page(said: str | bytes) -> None:
            if not str(said).startswith("move "):
                site.send(said)
            elif how == "closes":
                page.close(code=1012)
            else:
                number = re.search(r"\bn=(\d+)", str(said))
                assert number
                page.send(f'{{"n":{number[1]},"post":true}}<!-- now 1790000000000 -->')

        page.on_message(from_page)

    player.page.route_web_socket(re.compile("/ws/games/"), says_post)
    player.play_now(bots=1)
    player.wait_for_turn()
    traffic.wait()
    before = player.seq
    press(player)
    player.wait_for_newer(before)
    assert len(traffic.posts) == 1


def test_the_next_press_does_not_wait_for_the_answer_to_the_last(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    traffic = Traffic(player.page)

    def without_answers(page: WebSocketRoute) -> None:
        site = page.connect_to_server()
        site.on_message(lambda said: None if str(said).startswith("{") else page.send(said))

    player.page.route_web_socket(re.compile("/ws/games/"), without_answers)
    player.play_now(bots=2)
    play([player], until=lambda: player.my_turn and player.can("dudo"))
    traffic.wait()
    asked = len(traffic.over_sockets)
    player.button("Dudo!").click()
    seen_it = player.button("Continue")
    expect(seen_it).to_be_visible()
    revealed = player.seq
    seen_it.click()
    player.wait_for_newer(revealed)
    assert len(traffic.over_sockets) == asked + 2


def test_no_move_arrives_late_unseen(
    unhurried_site: LiveSite, open_browser: OpenBrowser, line: StallingProxy
) -> None:
    """The line stalls for ten seconds: the page gives up, and what lay in a buffer is too late."""
    player = at_a_turn(unhurried_site, open_browser, url=line.url)
    before = player.seq
    old = set(line.sockets)
    line.hold()
    with player.expecting_errors():
        press(player)
        button = player.page.locator("#own button[value=bid]")
        player.page.wait_for_timeout(600)
        assert float(button.evaluate("(element) => getComputedStyle(element).opacity")) < 1
        expect(notice(player)).to_contain_text("Sending… No answer yet.")
        expect(notice(player)).to_contain_text("The site isn't answering.")
        expect(player.page.locator(".htmx-request")).to_have_count(0)
        wait_until(lambda: line.sockets - old, "another socket")
        player.page.wait_for_timeout(6_000)
        line.let_go()
        player.page.wait_for_timeout(1_000)
    assert player.seq == before
    assert player.state_on_fresh_page() == player.shown_state()
    press(player)
    player.wait_for_newer(before)


def test_to_give_a_move_up_leaves_the_next_socket_alone(
    unhurried_site: LiveSite, open_browser: OpenBrowser, line: StallingProxy
) -> None:
    """The page may have noticed a dead line, and replaced its socket, while the move waited."""
    player = at_a_turn(unhurried_site, open_browser, url=line.url)
    old = set(line.sockets)
    line.hold()
    with player.expecting_errors():
        press(player)
        player.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(notice(player)).to_contain_text("The site isn't answering.")
        player.page.wait_for_timeout(2_000)
    assert len(line.sockets - old) == 1
    line.let_go()


def test_a_socket_that_ends_before_the_answer_says_so(
    unhurried_site: LiveSite, open_browser: OpenBrowser, line: StallingProxy
) -> None:
    player = at_a_turn(unhurried_site, open_browser, url=line.url)
    before = player.seq
    line.hold()
    with player.expecting_errors():
        press(player)
        line.cut()
        expect(notice(player)).to_contain_text("Couldn't reach the site")
        line.let_go()
    press(player)
    player.wait_for_newer(before)
