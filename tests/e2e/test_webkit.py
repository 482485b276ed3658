"""WebKit: a whole game of two people, its animations, sleep and return, keys, pages on a phone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.boxes import LOOK, arranged_once
from tests.e2e.conftest import QUICK
from tests.e2e.steps import (
    COUNT_SHOWN,
    NOTE_ANIMATIONS,
    bid_one_more_than_offered,
    invite_and_join,
    number,
    press_all,
    register,
    share_the_replay,
    step_through_the_replay,
    talk,
    the_first_steps_of_the_tutorial,
)
from tests.e2e.test_boxes import NEEDED
from tests.e2e.webkit_player import WebKitPlayer
from tests.faults.line import line_to
from tests.live import NO_TLS, LiveSite

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

Open = Callable[..., WebKitPlayer]
PHONE = (390, 700)
PAGES = (
    *("/", "/rules", "/rules/perudo", "/rules/peco_peco", "/learn/peco_peco", "/account/"),
    *("/games/new", "/games/new?game=peco_peco", "/players/{name}", "/account/delete/"),
)
AFTER_SLEEP = 20


def test_two_people_play_a_whole_game(quick_site: LiveSite, open_webkit: Open) -> None:
    host = open_webkit(quick_site, "Wiebke", calm=True)
    friend = open_webkit(quick_site, "Wim", size=PHONE, calm=True)
    register(host)
    invite_and_join(host, friend)
    talk(host, friend)
    host.click("button", "Start the game")
    bid_one_more_than_offered(host, friend)
    press_all([host, friend], until=lambda: "confirm" in friend.choices)
    friend.until(lambda: not friend.shows("#table .bubble"))  # a message stands at its seat awhile
    before = friend.sees()
    friend.reload()
    assert friend.sees() == before
    assert friend.sticks_out() == []
    press_all([host, friend], until=lambda: host.phase == friend.phase == "over")
    host.until(lambda: host.seq == friend.seq)
    assert host.sees()[0] == friend.sees()[0]
    assert host.texts("#table .ranking li > span") == friend.texts("#table .ranking li > span")
    assert sorted(host.texts("#table .ranking li > span")) == ["Wiebke", "Wim"]
    share_the_replay(host)
    friend.click("button", "Rematch")
    host.until_shown("#own button", "Go to the rematch")
    step_through_the_replay(host)


def test_keys_alone_bring_a_reveal_that_moves_until_a_press_skips_it(
    quick_site: LiveSite, open_webkit: Open
) -> None:
    player = open_webkit(quick_site, size=PHONE)
    player.go("/")
    player.tab_to("#hero-perudo ~ .play-now button")
    player.press("Enter")
    player.until_shown(".my-dice .die")
    player.evaluate(NOTE_ANIMATIONS)
    a_bid_by_keys(player)
    press_all([player], until=lambda: "dudo" in player.choices)
    player.choose("dudo")
    player.until_shown("#table .reveal.is-fresh")
    player.until(lambda: "open" in player.evaluate("() => begun"))
    player.press("Escape")
    player.until_shown("#table .reveal.is-told")
    assert player.evaluate(COUNT_SHOWN)
    player.evaluate("() => void rolls.splice(0)")
    press_all([player], until=lambda: player.phase == "turn")
    player.until(lambda: "tumble" in player.evaluate("() => rolls"))


def a_bid_by_keys(player: WebKitPlayer) -> None:
    player.until(lambda: "bid" in player.choices)
    player.tab_to("#own input[name=face]:checked")
    offered = number(player)

    def raised() -> bool:
        player.press("p", "+")  # of other values only the bid one higher may be legal
        return number(player) > offered

    player.until(raised)  # the script of the keys may still be on its way
    bid, before = f"{number(player)}×", player.seq
    player.press("Enter")
    player.until(lambda: player.seq > before)
    player.until_shown("#table .bids li", bid)


def test_a_table_is_current_again_after_a_sleep(quick_site: LiveSite, open_webkit: Open) -> None:
    """All of the browser stands still, its connection dies unnoticed, and the game goes on."""
    with line_to(quick_site.port) as line:
        player = open_webkit(quick_site)
        player.site = line.url
        player.go("/")
        player.click("#hero-perudo ~ .play-now button")
        press_all([player], until=lambda: {"bid", "dudo"} & {*player.choices} != set())
        player.until(lambda: bool(line.sockets))
        before, hand = player.seq, player.texts("#own .my-dice")
        move = what_the_form_would_send(player)
        with player.webkit.stopped():
            line.swallow()
            answer = httpx.post(**move, verify=NO_TLS)
            assert not answer.is_error, answer.text
        player.until(lambda: player.seq > before, AFTER_SLEEP, "for the move made meanwhile")
        assert player.texts("#own .my-dice") == hand or player.phase != "turn"
        player.until(lambda: not player.shows("#banner"))
        press_all([player], until=lambda: player.phase == "reveal")


def what_the_form_would_send(player: WebKitPlayer) -> dict[str, Any]:
    """The player's move as another of their devices sends it: arguments of httpx.post."""
    do = next(do for do in ("bid", "dudo") if do in player.choices)
    form = player.evaluate("() => [...new FormData(document.getElementById('move-form'))]")
    return {
        "url": player.evaluate("() => document.getElementById('move-form').action"),
        "data": dict(form) | {"do": do},
        "cookies": player.cookies(),
    }


def test_pages_fit_a_phone(quick_site: LiveSite, open_webkit: Open) -> None:
    player = open_webkit(quick_site, "Wilja", size=PHONE)
    register(player)
    for width in (390, 320):
        player.resize(width, 700)
        for path in PAGES:
            player.go(path.format(name=player.name))
            assert player.sticks_out() == [], (width, path)
            player.troubles_now()
    the_first_steps_of_the_tutorial(player)
    a_theme_and_an_avatar(player)


def a_theme_and_an_avatar(player: WebKitPlayer) -> None:
    player.go("/account/")
    player.click(".faces-grid label", "Puma")
    player.tab_to("select[name=theme]")
    player.press("d")
    player.click("button", "Save")
    player.until_shown(".messages", "Settings saved.")
    assert player.evaluate("() => document.documentElement.dataset.theme") == "dark"
    assert player.evaluate("() => document.querySelector('[value=puma]').checked")
    assert player.sticks_out() == []


def test_what_is_needed_stays_on_the_screen_when_the_phone_is_turned(
    open_webkit: Open, prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each state of a table, loaded upright, then shown on other screens; boxes, not pixels."""
    folder = tmp_path_factory.mktemp("webkit_boxes")
    shared = folder.parent.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    data, tables = arranged_once(prepared_folder, shared / "arranged")
    site = LiveSite.of(data, folder / "site", **QUICK)
    site.start()
    try:
        player = open_webkit(site, calm=True)
        found = {}
        for state, needed in NEEDED.items():
            path, key = tables[state][max(tables[state])]
            player.resize(*PHONE)
            player.come_back_with(key)
            player.go(path)
            for size in ((320, 568), (360, 640), (740, 360), (1280, 720)):
                player.resize(*size)
                if faults := player.call(LOOK, {"needed": [*needed], "chat": None}):
                    found[f"{state} {size}"] = faults
            assert player.troubles_now() == ""
        assert found == {}
    finally:
        site.kill()


def test_what_breaks_on_a_page_is_noticed(quick_site: LiveSite, open_webkit: Open) -> None:
    player = open_webkit(quick_site)
    player.go("/")
    assert player.troubles_now() == ""
    player.evaluate("() => void setTimeout(() => { nothingAtAll(); })")
    player.until(lambda: "nothingAtAll" in player.troubles_now())
    player.evaluate(
        """() => document.body.append(
          Object.assign(document.createElement("script"), { textContent: "0" }))"""
    )
    player.until(lambda: "Content-Security-Policy" in player.troubles_now())
    player.evaluate("() => fetch('/games/nobody').then(() => null)")
    player.until(lambda: "/games/nobody: 404" in player.troubles_now())
    player.troubles.clear()
