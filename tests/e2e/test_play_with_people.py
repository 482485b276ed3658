"""Play with people: two or three browsers meet at a quick table, and nobody waits idle."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Arrange, served
from tests.e2e.player import Player, signed_in
from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite

OpenBrowser = Callable[..., Player]

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def press_play(player: Player, game: str = "Any", button: str = "Play with people") -> None:
    player.go("/play")
    player.page.get_by_role("radio", name=game).check()
    player.button(button).click()


def strip_of(player: Player, state: str) -> None:
    expect(player.page.locator("#search")).to_have_attribute("data-state", state)


def test_who_is_alone_warms_up_and_is_called_when_somebody_comes(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    ana = open_browser(own_site, "Ana", **PHONE)
    ana.go("/play")
    ana.page.get_by_label("Your name").fill("Ana-1")
    ana.page.get_by_role("radio", name="Perudo").check()
    ana.button("Play with people").click()
    strip_of(ana, "waiting")
    warm_up = ana.address()
    expect(ana.hand.locator(".die")).to_have_count(5)
    strip = ana.page.locator("#search")
    expect(strip).to_contain_text("You're first in line")
    height, top = ana.page.evaluate(  # in one look: a frame may swap the board between two
        """["#search", "#table .board"].map((at) => document.querySelector(at)
          .getBoundingClientRect()).reduce((strip, board) => [strip.height, board.top])"""
    )
    assert 44 <= height <= top  # it lies over the head alone
    assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    juna = open_browser(own_site, "Juna")
    juna.register()
    press_play(juna)
    quick = juna.address()
    assert quick != warm_up
    strip_of(ana, "asked")
    expect(strip).to_contain_text("Juna is here.")
    expect(strip.locator("[data-countdown]")).to_have_text(re.compile(r"^Starting in \d+$"))
    expect(ana.page).to_have_title(re.compile("^Juna is here"))
    expect(ana.page.locator("#live")).to_contain_text("Juna is here")
    ana.button("Start now").click()
    expect(ana.page).to_have_url(f"{ana.site}{quick}")
    for player in (ana, juna):
        player.wait_for_phase("turn")
    names = juna.page.locator("#table .seat-name")
    expect(names.filter(has_text="Ana-1")).to_be_visible()


def test_the_choice_is_remembered_and_not_now_gives_the_place_back(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    clelia, dario = (open_browser(own_site, name) for name in ("Clelia", "Dario"))
    for player in (clelia, dario):
        player.register()
    press_play(clelia, "Peco Peco")
    strip_of(clelia, "waiting")
    warm_up = clelia.address()
    press_play(dario, "Peco Peco")
    strip_of(clelia, "asked")
    clelia.button("Not now").click()
    strip_of(clelia, "")
    assert clelia.address() == warm_up  # which goes on
    clelia.go("/play")
    expect(clelia.page.get_by_role("radio", name="Peco Peco")).to_be_checked()
    dario.go("/")
    strip_of(dario, "waiting")  # he stays first in line
    dario.button("Stop looking").click()
    strip_of(dario, "")


def test_by_keyboard_and_in_french(own_site: LiveSite, open_browser: OpenBrowser) -> None:
    eva = open_browser(own_site, "Eva", locale="fr")
    eva.go("/play")
    page = eva.page
    page.locator("#play-name").focus()
    page.keyboard.type("Eva-1")
    page.keyboard.press("Tab")  # the games are one stop
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    expect(page.locator(".play-people .primary")).to_be_focused()
    page.keyboard.press("Enter")
    strip_of(eva, "waiting")
    stop = page.locator("#search [value=stop]")
    stop.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{eva.site}/")
    strip_of(eva, "")


def test_without_scripts_people_meet_too(own_site: LiveSite, open_browser: OpenBrowser) -> None:
    fay = open_browser(own_site, "Fay", java_script_enabled=False)
    fay.page.goto(f"{fay.site}/play")
    fay.page.get_by_label("Your name").fill("Fay-1")
    fay.page.get_by_role("radio", name="Peco Peco").check()
    fay.button("Play with people").click()
    expect(fay.page.locator("#search")).to_contain_text("You're first in line")
    gus = open_browser(own_site, "Gus")
    gus.register()
    press_play(gus, "Peco Peco")
    fay.page.goto(f"{fay.site}/play")
    assert 'http-equiv="refresh"' in fay.page.content()
    expect(fay.page.locator("#search")).to_contain_text("Gus is here.")
    fay.button("Start now").click()
    expect(fay.page).to_have_url(re.compile("/games/"))
    gus.wait_for_phase("turn")


def test_a_second_device_takes_over(own_site: LiveSite, open_browser: OpenBrowser) -> None:
    hana = open_browser(own_site, "Hana")
    hana.register()
    press_play(hana, "Perudo")
    strip_of(hana, "waiting")
    other = open_browser(own_site, "Hana", **PHONE)
    assert other.post("/account/login/", login="Hana", password=PASSWORD) == "/"
    other.go("/")
    strip_of(other, "elsewhere")
    other.button("Continue here").click()
    other.page.wait_for_url(re.compile("/games/"))
    strip_of(hana, "elsewhere")
    other.go("/")
    strip_of(other, "waiting")
    other.button("Stop looking").click()
    strip_of(hana, "")


@pytest.mark.parametrize("keeps", [True, False], ids=["", "nothing is kept"])
def test_a_game_that_begins_is_gone_to_once(
    own_site: LiveSite, open_browser: OpenBrowser, keeps: bool
) -> None:
    ida, jon = open_browser(own_site, "Ida"), open_browser(own_site, "Jon")
    if not keeps:
        jon.page.add_init_script(
            "Storage.prototype.setItem = Storage.prototype.getItem = () => { throw Error(); }"
        )
    for player in (ida, jon):
        player.register()
        press_play(player, "Peco Peco")
    strip_of(ida, "asked")
    jon.go("/rules")  # while the others answer
    strip_of(jon, "ready")
    ida.button("Start now").click()
    jon.page.wait_for_url(re.compile("/games/"))
    for player in (ida, jon):
        player.wait_for_phase("turn")
        table = player.address()
        for elsewhere in ("/", "/t", "/friends", "/rules"):
            player.go(elsewhere)
            strip_of(player, "seated")
            player.page.wait_for_timeout(500)  # nothing happens
            assert urlsplit(player.page.url).path == elsewhere
        player.page.locator("#search").get_by_role("link").click()
        expect(player.page).to_have_url(f"{player.site}{table}")


def test_a_full_table_is_divided_by_strength_and_who_moves_is_led_along(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory, visitor: Callable[..., Page]
) -> None:
    data, told = arrange("tests.e2e.arranged_overflow")
    with served(data, tmp_path_factory.mktemp("overflow") / "site") as site:
        old = f"{site.url}/games/{told['code']}"
        moves, late = (visitor(viewport={"width": 360, "height": 740}) for _ in range(2))
        signed_in(moves, site, told)
        moves.goto(old)
        expect(moves.locator("#table .seat-name")).to_have_count(6)
        signed_in(late, site, {"key": told["late"]})
        late.goto(f"{site.url}/play")
        late.get_by_role("button", name="Play with people").click()
        late.wait_for_url(re.compile(rf"/games/(?!{told['code']})\w+$"))
        moves.wait_for_url(late.url)
        for page in (moves, late):
            names = page.locator("#table .seat-name")
            expect(names.filter(has_text="Player-17")).to_have_count(4)
            expect(names.filter(has_text="Player-13")).to_have_count(0)
