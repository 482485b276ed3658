"""Two people and a bot, from the home page to the ranking, a rematch and the replay."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, is_over, play, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]


@pytest.mark.slow
def test_two_people_and_a_bot_play_a_whole_game(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    ana, ben = open_browser(own_site, "Ana"), open_browser(own_site, "Ben")
    ana.register_by_form()
    ben.register_by_form()
    table = meet(ana, ben)
    ana.calzas = ben.calzas = 1
    play([ana, ben], until=lambda: ben.can("confirm"))
    reload_in_mid_game(ben)
    play([ana, ben], until=lambda: ben.my_turn and ben.can("bid"))
    lose_the_network(ana, meanwhile=ben)
    play([ana, ben], until=lambda: is_over(ana) and is_over(ben))
    assert not (ana.calzas and ben.calzas), "calza was never offered"
    assert sorted(ana.ranking()) == ["Ana", "Ben", "Chaska"]
    assert ana.ranking() == ben.ranking()
    assert ana.shown_state()[0] == ben.shown_state()[0] == ana.state_on_fresh_page()[0]
    rematch(ben, ana)
    ana.go(table)
    read_the_replay(ana)
    share_a_moment(ana, ben)


def meet(host: Player, guest: Player) -> str:
    """One opens a table; the other sees it appear in the lobby. The table's address."""
    guest.go("/")
    guest.page.evaluate("window.stayed = true")
    address = host.open_table_by_form(calza=True, seats=3)
    row = guest.page.locator(".table-row").filter(has_text=re.compile(rf"\b{host.name}'s table"))
    expect(row).to_contain_text("calza")
    assert guest.page.evaluate("window.stayed"), "the page was reloaded"
    row.get_by_role("button", name="Join").click()
    assert guest.address() == address
    expect(guest.button("Leave the table")).to_be_visible()
    expect(host.page.locator(".seat-name").filter(has_text=guest.name)).to_be_visible()
    host.button("Medium", exact=True).click()
    expect(host.page.locator(".seat.is-free")).to_have_count(0)
    host.button("Start the game").click()
    for player in (host, guest):
        player.wait_for_phase("turn")
        expect(player.hand.locator(".die")).to_have_count(5)
    return address


def reload_in_mid_game(player: Player) -> None:
    """Nothing is lost by it; only while nothing moves can the two be compared."""
    assert player.can("confirm")
    before = player.shown_state()
    player.page.reload()
    assert player.shown_state() == before


def lose_the_network(player: Player, *, meanwhile: Player) -> None:
    """The page says so, stands still, and shows what it missed as soon as the network is back."""
    wait_for(lambda: player.seq == meanwhile.seq, player)
    with player.expecting_errors():
        player.page.context.set_offline(True)
        expect(player.banner).to_be_visible()
        expect(player.banner).to_contain_text("Connection lost")
        old = player.seq
        assert meanwhile.choose("bid")
        assert player.seq == old
        player.page.context.set_offline(False)
        player.wait_for_newer(old)
        expect(player.banner).to_be_hidden()
    wait_for(
        lambda: (
            player.seq == meanwhile.seq and player.shown_state() == player.state_on_fresh_page()
        ),
        player,
    )


def rematch(host: Player, guest: Player) -> None:
    """One press each brings both to one new table, where the game begins by itself."""
    old = host.address()
    host.button("Rematch").click()
    expect(host.page.locator("#table.room")).to_be_visible()
    guest.button("Go to the rematch").click()
    guest.page.wait_for_url(lambda url: old not in url)
    assert guest.address() == host.address() != old
    for player in (host, guest):
        player.wait_for_phase("turn")
        expect(player.hand.locator(".die")).to_have_count(5)


def read_the_replay(player: Player) -> None:
    """Forwards and back by buttons and by keys, to the ends, and to a round."""
    page = player.page
    player.link("Watch the replay").click()
    where = page.locator(".where")
    expect(page.locator("#replay-at[aria-valuetext]")).to_be_attached()  # its script has run
    page.keyboard.press("Home")
    expect(where).to_have_text(re.compile(r"^1 of \d+$"))
    last = where.inner_text().split()[-1]

    def is_at(moment: str) -> None:
        expect(where).to_have_text(f"{moment} of {last}")

    page.locator("#step-next").click()
    is_at("2")
    for key, moment in {"ArrowRight": "3", "ArrowLeft": "2", "End": last, "Home": "1"}.items():
        page.keyboard.press(key)
        is_at(moment)
    second = page.locator(".round-list li").nth(1).get_by_role("link")
    second.click()
    expect(page.locator(".ribbon")).to_contain_text("Round 2")
    expect(second).to_have_attribute("aria-current", "step")
    page.keyboard.press("End")
    is_at(last)
    expect(page.locator(".ranking li").first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    is_at(str(int(last) - 1))


def share_a_moment(player: Player, friend: Player) -> None:
    """Its address shows a friend the same moment, every hand open."""
    expect(player.page.locator(".board .hand").first).to_be_visible()
    shared = player.page.get_by_label("Share this move").input_value()
    expect(player.page).to_have_url(shared)  # which follows a step a little later
    friend.go(urlsplit(shared).path)
    told = player.page.locator(".moment .narration").inner_text()
    assert friend.page.locator(".moment .narration").inner_text() == told
    assert "The count is" in told
