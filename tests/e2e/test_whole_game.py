"""Two people and a bot, from the home page to the ranking, a rematch and the replay."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, eventually, is_over, play
from tests.live import LiveSite

pytestmark = pytest.mark.e2e

Newcomer = Callable[..., Player]


@pytest.mark.slow
def test_two_people_and_a_bot_play_a_whole_game(quick_site: LiveSite, newcomer: Newcomer) -> None:
    ana, ben = newcomer(quick_site, "Ana"), newcomer(quick_site, "Ben")
    ana.register_by_form()
    ben.register_by_form()
    table = meet(ana, ben)
    ana.calzas = ben.calzas = 1
    play([ana, ben], until=lambda: ben.may("confirm"))
    reload_in_mid_game(ben)
    play([ana, ben], until=lambda: ben.my_turn and ben.may("bid"))
    lose_the_network(ana, meanwhile=ben)
    play([ana, ben], until=lambda: is_over(ana) and is_over(ben))
    assert not (ana.calzas and ben.calzas), "calza was never offered"
    assert sorted(ana.ranking()) == ["Ana", "Ben", "Chaska"]
    assert ana.ranking() == ben.ranking()
    assert ana.sees()[0] == ben.sees()[0] == ana.sees_afresh()[0]
    rematch(ben, ana)
    ana.go(table)
    read_the_replay(ana)
    share_a_moment(ana, ben)


def meet(host: Player, guest: Player) -> str:
    """One opens a table; the other sees it appear in the lobby. The table's address."""
    guest.page.evaluate("window.stayed = true")
    address = host.open_table_by_form(calza=True, seats=3)
    card = guest.page.locator(".card").filter(has_text=f"{host.name}'s table")
    expect(card).to_contain_text("calza")
    assert guest.page.evaluate("window.stayed"), "the page was reloaded"
    card.get_by_role("link").click()
    assert guest.address() == address
    guest.button(re.compile("^Join .*table$")).click()
    expect(guest.button("Leave the table")).to_be_visible()
    expect(host.page.locator(".seat-name").filter(has_text=guest.name)).to_be_visible()
    host.button("Medium").click()
    expect(host.page.locator(".seat.is-free")).to_have_count(0)
    host.button("Start the game").click()
    for player in (host, guest):
        player.wait_for_phase("turn")
        expect(player.hand.locator(".die")).to_have_count(5)
    return address


def reload_in_mid_game(player: Player) -> None:
    """Nothing is lost by it; only while nothing moves can the two be compared."""
    assert player.may("confirm")
    before = player.sees()
    player.page.reload()
    assert player.sees() == before


def lose_the_network(player: Player, *, meanwhile: Player) -> None:
    """The page says so, stands still, and shows what it missed as soon as the network is back."""
    eventually(lambda: player.seq == meanwhile.seq, player)
    with player.excused():
        player.page.context.set_offline(True)
        expect(player.banner).to_be_visible()
        expect(player.banner).to_contain_text("Connection lost")
        old = player.seq
        assert meanwhile.choose("bid")
        assert player.seq == old
        player.page.context.set_offline(False)
        player.wait_beyond(old)
        expect(player.banner).to_be_hidden()
    eventually(
        lambda: player.seq == meanwhile.seq and player.sees() == player.sees_afresh(), player
    )


def rematch(host: Player, guest: Player) -> None:
    """One press each brings both to one new table, where both have a seat."""
    old = host.address()
    host.button("Rematch").click()
    expect(host.page.locator("#table.room")).to_be_visible()
    guest.button("Go to the rematch").click()
    expect(guest.page.locator("#table.room")).to_be_visible()
    assert guest.address() == host.address() != old
    host.button("Start the game").click()
    for player in (host, guest):
        player.wait_for_phase("turn")
        expect(player.hand.locator(".die")).to_have_count(5)


def read_the_replay(player: Player) -> None:
    """Forwards and back by buttons and by keys, to the ends, and to a round."""
    page = player.page
    player.link("Watch the replay").click()
    where = page.locator(".where")
    expect(where).to_have_text(re.compile(r"^1 of \d+$"))
    last = where.inner_text().split()[-1]

    def is_at(moment: str) -> None:
        expect(where).to_have_text(f"{moment} of {last}")

    player.link("Next →").click()
    is_at("2")
    for key, moment in {"ArrowRight": "3", "ArrowLeft": "2", "End": last, "Home": "1"}.items():
        page.keyboard.press(key)
        is_at(moment)
    second = page.locator(".round-list li").nth(1).get_by_role("link")
    second.click()
    expect(page.locator(".ribbon")).to_contain_text("Round 2")
    expect(second).to_have_attribute("aria-current", "step")
    page.go_back()
    is_at("1")
    page.keyboard.press("End")
    is_at(last)
    expect(page.locator(".ranking li").first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    is_at(str(int(last) - 1))


def share_a_moment(player: Player, friend: Player) -> None:
    """Its address shows a friend the same moment, every hand open."""
    expect(player.page).to_have_url(re.compile(r"/replay/\d+$"))
    expect(player.page.locator(".board .hand").first).to_be_visible()
    expect(player.page.get_by_label("Share this move")).to_have_value(player.page.url)
    friend.go(urlsplit(player.page.url).path)
    told = player.page.locator(".moment .told").inner_text()
    assert friend.page.locator(".moment .told").inner_text() == told
    assert "The count is" in told
