"""WebKit: a whole game of two people, its animations, sleep and return, keys, pages on a phone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.boxes import LOOK
from tests.e2e.conftest import ARRANGING_MODULES, Arrange, arranged_site
from tests.e2e.steps import (
    a_reveal_moves_until_skipped,
    begin_by_keys,
    bid_by_keys,
    do_first_tutorial_steps,
    play_a_whole_game,
    press_all,
    register,
    sounds_are_decoded_and_played,
)
from tests.e2e.test_boxes import NEEDED
from tests.e2e.webkit_player import WebKitPlayer
from tests.support.live_site import NO_TLS, LiveSite
from tests.support.stalling_proxy import proxy_to

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

Open = Callable[..., WebKitPlayer]
PHONE = (390, 700)
TURNED = ("turn_with_calza", "palifico", "reveal", "over")
PAGES = (
    *("/", "/rules", "/rules/perudo", "/rules/peco_peco", "/learn/peco_peco", "/account/"),
    *("/games/new", "/games/new?game=peco_peco", "/players/{name}", "/account/delete/"),
)
AFTER_SLEEP = 20


def test_two_people_play_a_whole_game(unhurried_site: LiveSite, open_webkit: Open) -> None:
    host = open_webkit(unhurried_site, "Wiebke", calm=True)
    friend = open_webkit(unhurried_site, "Wim", size=PHONE, calm=True)
    play_a_whole_game(host, friend)


def test_the_sounds_of_both_games_are_played(unhurried_site: LiveSite, open_webkit: Open) -> None:
    sounds_are_decoded_and_played(open_webkit(unhurried_site))


def test_keys_alone_bring_a_reveal_that_moves_until_a_press_skips_it(
    unhurried_site: LiveSite, open_webkit: Open
) -> None:
    player = open_webkit(unhurried_site, size=PHONE)
    begin_by_keys(player)
    bid_by_keys(player)
    a_reveal_moves_until_skipped(player, lambda: player.press("Escape"))


def test_a_table_is_current_again_after_a_sleep(
    unhurried_site: LiveSite, open_webkit: Open
) -> None:
    """All of the browser stands still, its connection dies unnoticed, and the game goes on."""
    with proxy_to(unhurried_site.port) as line:
        player = open_webkit(unhurried_site)
        player.site = line.url
        player.go("/bots")
        player.click("#hero-perudo ~ .play-now button")
        press_all([player], until=lambda: {"bid", "dudo"} & {*player.choices} != set())
        player.wait_for(lambda: bool(line.sockets))
        before, hand = player.seq, player.texts("#own .my-dice")
        move = what_the_form_would_send(player)
        with player.webkit.stopped():
            line.stall()
            answer = httpx.post(**move, verify=NO_TLS)
            assert not answer.is_error, answer.text
        player.wait_for(lambda: player.seq > before, AFTER_SLEEP, "for the move made meanwhile")
        assert player.texts("#own .my-dice") == hand or player.phase != "turn"
        player.wait_for(lambda: not player.is_shown("#banner"))
        press_all([player], until=lambda: player.phase == "reveal")
        player.errors_so_far()
        # The dead connection itself, where WebKit says that it broke before the page gave it up.
        player.errors[:] = [error for error in player.errors if error != "[object Event]"]


def what_the_form_would_send(player: WebKitPlayer) -> dict[str, Any]:
    """The player's move as another of their devices sends it: arguments of httpx.post."""
    do = next(do for do in ("bid", "dudo") if do in player.choices)
    form = player.evaluate("() => [...new FormData(document.getElementById('move-form'))]")
    return {
        "url": player.evaluate("() => document.getElementById('move-form').action"),
        "data": dict(form) | {"do": do},
        "cookies": player.cookies(),
    }


def test_pages_fit_a_phone(unhurried_site: LiveSite, open_webkit: Open) -> None:
    player = open_webkit(unhurried_site, "Wilja", size=PHONE)
    register(player)
    for width in (390, 320):
        player.resize(width, 700)
        for path in PAGES:
            player.go(path.format(name=player.name))
            assert player.wider_than_screen() == [], (width, path)
            player.errors_so_far()
    do_first_tutorial_steps(player)
    a_theme_and_an_avatar(player)


def a_theme_and_an_avatar(player: WebKitPlayer) -> None:
    player.go("/account/")
    player.click(".faces-grid label", "Puma")
    player.tab_to("select[name=theme]")
    player.press("d")
    player.click("button", "Save")
    player.wait_until_shown(".messages", "Settings saved.")
    assert player.evaluate("() => document.documentElement.dataset.theme") == "dark"
    assert player.evaluate("() => document.querySelector('[value=puma]').checked")
    assert player.wider_than_screen() == []


def faults_of(player: WebKitPlayer, needed: Sequence[str]) -> list[str]:
    """What is wrong for good: the page follows a new size within some frames."""
    deadline = time.monotonic() + 5
    while True:
        found: list[str] = player.call(LOOK, {"needed": [*needed], "chat": None})
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


def test_what_is_needed_is_on_the_screen_upright_and_on_its_side(
    open_webkit: Open, arrange: Arrange, tmp_path: Path
) -> None:
    """Loaded there: WebKitGTK 2.50.6 keeps what `:has` matched before a media query changed."""
    with arranged_site(arrange, tmp_path, ARRANGING_MODULES["perudo"]) as (site, tables):
        player = open_webkit(site, calm=True)
        found = {}
        for state in TURNED:
            path, key = tables[state][max(tables[state])]
            player.come_back_with(key)
            for size in ((320, 568), (740, 360)):
                player.resize(*size)
                player.go(path)
                if faults := faults_of(player, NEEDED[state]):
                    found[f"{state} {size}"] = faults
            assert player.errors_so_far() == ""
        assert found == {}


def test_what_breaks_on_a_page_is_noticed(unhurried_site: LiveSite, open_webkit: Open) -> None:
    player = open_webkit(unhurried_site)
    player.go("/")
    assert player.errors_so_far() == ""
    player.evaluate("() => void setTimeout(() => { nothingAtAll(); })")
    player.wait_for(lambda: "nothingAtAll" in player.errors_so_far())
    player.evaluate(
        """() => document.body.append(
          Object.assign(document.createElement("script"), { textContent: "0" }))"""
    )
    player.wait_for(lambda: "Content-Security-Policy" in player.errors_so_far())
    player.evaluate("() => fetch('/games/nobody').then(() => null)")
    player.wait_for(lambda: "/games/nobody: 404" in player.errors_so_far())
    player.errors.clear()
