"""Browsers add to the draws of their table, and compare with what they have noted afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.conftest import served
from tests.e2e.player import Player, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
OTHER_ROOT = """code => {
  const noted = JSON.parse(localStorage.getItem("draws"));
  noted[code].root = "0".repeat(64);
  localStorage.setItem("draws", JSON.stringify(noted));
}"""
NOTED = "code => JSON.parse(localStorage.getItem('draws') ?? '{}')[code]"


@pytest.fixture
def patient_site(prepared_folder: Path, tmp_path: Path) -> Iterator[LiveSite]:
    settings = "tests.e2e.patient_settings"
    with served(prepared_folder, tmp_path / "site", DJANGO_SETTINGS_MODULE=settings) as site:
        yield site


def at_one_table(site: LiveSite, open_browser: OpenBrowser, *names: str) -> list[Player]:
    """These people at a table of their own, the first as its host."""
    players = [open_browser(site, name) for name in names]
    for player in players:
        player.register()
    table = players[0].open_table(seats=len(players))
    for player in players[1:]:
        player.sit(table)
    for player in players:
        wait_for(lambda: player.page.evaluate(NOTED, code(player)), player)  # noqa: B023
    return players


def code(player: Player) -> str:
    return player.page.url.split("/")[4]


def end(players: list[Player]) -> None:
    """All but one leave the game; then it is over."""
    for player in players[1:]:
        player.post(f"{player.address()}/move", do="leave")
    players[0].wait_for_phase("over")


def told(player: Player, *, of: str) -> str:
    """What the page of the game says of its draws to this browser."""
    player.go(f"/games/{of}/fair")
    player.page.locator("#check-draws").click()
    said = player.page.locator("#draws-checked")
    expect(said.locator("p")).not_to_have_count(0)
    return said.inner_text()


def test_each_browser_adds_a_part_and_finds_it_in_the_game(
    patient_site: LiveSite, open_browser: OpenBrowser
) -> None:
    players = at_one_table(patient_site, open_browser, "Pia", "Rolf", "Sara")
    played = code(players[0])
    players[0].button("Start the game").click()
    for player in players:
        player.wait_for_phase("turn")
    seals = [player.page.evaluate(NOTED, played) for player in players]
    assert len({each["salt"] for each in seals}) == 3
    assert len({(each["seal"], each["root"]) for each in seals}) == 1
    end(players)
    for player in players:
        words = told(player, of=played)
        assert "follow from the seal" in words and "own part is in it" in words
    expect(players[0].page.locator("main")).to_contain_text("The browsers of 3 players added")
    stranger = open_browser(patient_site)
    assert "without a part of your own" in told(stranger, of=played)
    players[1].page.evaluate(OTHER_ROOT, played)
    words = told(players[1], of=played)
    assert "isn't the seal" in words and "follow from the seal" not in words


def test_a_browser_whose_salt_is_lost_is_left_out_and_the_others_add_new_ones(
    patient_site: LiveSite, open_browser: OpenBrowser
) -> None:
    players = at_one_table(patient_site, open_browser, "Tina", "Urs", "Vera")
    played = code(players[0])
    first = [player.page.evaluate(NOTED, played) for player in players]
    with players[1].expecting_errors():
        players[1].page.route("**/salt", lambda route: route.abort())
        players[0].button("Start the game").click()
        for player in players:
            player.wait_for_phase("turn")
    second = [player.page.evaluate(NOTED, played) for player in players]
    assert len({each["seal"] for each in second}) == 1
    assert all(old["seal"] != new["seal"] for old, new in zip(first, second, strict=True))
    end(players)
    assert "own part is in it" in told(players[0], of=played)
    assert "too late, the site says" in told(players[1], of=played)
    assert "own part is in it" in told(players[2], of=played)


def test_a_browser_that_was_in_time_and_is_called_late_says_so(
    patient_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """A site that forgets a salt which it has taken."""
    players = at_one_table(patient_site, open_browser, "Wim", "Xenia")

    def swallow(route: Route) -> None:
        route.fulfill(status=200, body="")

    players[1].page.route("**/salt", swallow)
    players[0].button("Start the game").click()
    players[1].wait_for_phase("turn")
    expect(players[1].page.locator("#notice")).to_contain_text("added its part in time")
    expect(players[0].page.locator("#notice")).not_to_contain_text("added its part in time")


def test_two_tabs_add_one_part_and_another_device_adds_none(
    patient_site: LiveSite, open_browser: OpenBrowser
) -> None:
    players = at_one_table(patient_site, open_browser, "Yara", "Zoe")
    played = code(players[0])
    before = players[0].page.evaluate(NOTED, played)
    tab = players[0].page.context.new_page()
    tab.goto(players[0].page.url)
    device = open_browser(patient_site, "Yara")
    device.page.context.add_cookies(players[0].page.context.cookies())
    device.go(f"/games/{played}")
    device.page.wait_for_load_state("networkidle")
    assert device.page.evaluate(NOTED, played) is None
    players[0].button("Start the game").click()
    for player in players:
        player.wait_for_phase("turn")
    assert players[0].page.evaluate(NOTED, played)["salt"] == before["salt"]
    end(players)
    assert "own part is in it" in told(players[0], of=played)
    assert "without a part of your own" in told(device, of=played)
