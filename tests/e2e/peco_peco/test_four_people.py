"""Four people play a whole game of Peco Peco in four browsers, with chosen cards.

Ana plays on a phone, Ben in French, Cleo with a screen reader and a keyboard, Dan at a desktop.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import arranged
from tests.e2e.conftest import QUICK
from tests.e2e.player import Player, wait_for, wider_than_screen
from tests.e2e.test_by_ear import Listener
from tests.support.live_site import LiveSite

pytestmark = [pytest.mark.e2e, pytest.mark.long]

NAMES = ("Ana", "Ben", "Cleo", "Dan")
HOW: dict[str, dict[str, object]] = {
    "Ana": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "Ben": {"extra_http_headers": {"Accept-Language": "fr"}},
    "Cleo": {},
    "Dan": {"viewport": {"width": 1366, "height": 768}},
}


@pytest.fixture
def four(
    prepared_folder: Path, tmp_path: Path, open_browser: Callable[..., Player]
) -> Iterator[list[Player]]:
    """At the table, Ana to move."""
    settings = {"DJANGO_SETTINGS_MODULE": "games.peco_peco.tests.stacked_settings"}
    site = LiveSite.of(prepared_folder, tmp_path / "site", **QUICK | settings)
    told = json.loads(arranged(site, "games.peco_peco.tests.four_people"))
    site.start()
    players = []
    for name in NAMES:
        player = open_browser(site, name, **HOW[name])
        key = told["keys"][name]
        player.page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        player.go(told["path"])
        players.append(player)
    yield players
    site.kill()
    assert "Traceback" not in site.log, site.log


def all_see(players: Sequence[Player]) -> None:
    """Everybody's page has caught up with the one that is furthest; all tables are the same."""
    newest = max(player.seq for player in players)
    wait_for(lambda: all(player.seq == newest for player in players), *players)
    tables = {player.shown_state()[0] for player in players if player.name != "Ben"}
    assert len(tables) == 1


def sizes(player: Player) -> list[int]:
    """How many cards each seat holds, as the page shows it."""
    return [int(size) for size in player.page.locator(".seat-hand b").all_inner_texts()]


def hand(player: Player) -> Locator:
    return player.page.locator("#own .hand .animal-card")


def do(player: Player, name: str) -> None:
    before = player.seq
    player.page.locator("#own").get_by_role("button", name=name).click()
    player.wait_for_newer(before)


def test_a_whole_game_in_four_browsers(four: list[Player]) -> None:
    listener = Listener(four[2])
    a_round_with_accusations(listener, four)
    a_round_with_a_slap(listener, four)
    a_round_that_ends_the_game(listener, four)


def a_round_with_accusations(listener: Listener, four: Sequence[Player]) -> None:
    ana, ben, cleo, dan = four
    a_card_is_stolen_on_a_phone(four)
    a_bluff_is_announced_in_french_after_a_reload(ben)
    all_see(four)
    a_bluff_is_caught_by_ear(listener, cleo)
    all_see(four)
    assert sizes(ana) == [3, 3, 5, 3]
    expect(ben.page.locator(".seat-flag:visible")).not_to_have_count(0)
    dan_misses_a_card(listener, dan, cleo)
    all_see(four)
    an_honest_player_is_accused(four)
    ana_and_ben_declare(ana, ben)
    all_see(four)
    all_go_on(listener, four, "3 sushi", round=2)


def all_go_on(listener: Listener, four: Sequence[Player], won: str, *, round: int) -> None:
    """Cleo has won a stake, everybody has seen it, and the next round begins."""
    ana, ben, cleo, dan = four
    expect(dan.page.locator(".verdict .right")).to_have_text(
        f"Cleo wins {won}", use_inner_text=True
    )
    for player in (ana, ben, dan):
        assert player.choose("confirm")
    listener.press("button", "Continue")
    wait_for(lambda: f"Round {round}" in cleo.page.locator(".ribbon").inner_text(), cleo)
    all_see(four)


def a_card_is_stolen_on_a_phone(four: Sequence[Player]) -> None:
    ana, *_, dan = four
    ana.page.locator("#own .held:has([value=Ms])").tap()
    victims = ana.page.locator("#own .victim")
    expect(victims).to_have_text([f"Play, take from {name}" for name in NAMES[1:]])
    assert wider_than_screen(ana.page) == []
    before = ana.seq
    victims.nth(2).tap()
    ana.wait_for_newer(before)
    all_see(four)
    expect(hand(dan)).to_have_count(3)
    assert sizes(dan) == [3, 4, 4, 3]


def a_bluff_is_announced_in_french_after_a_reload(ben: Player) -> None:
    before = ben.shown_state()
    ben.page.reload()
    wait_for(lambda: ben.shown_state() == before, ben)
    declare = ben.page.locator("#own .declare")
    expect(declare).to_contain_text("Je ne peux pas jouer")
    expect(declare.locator("small")).to_have_text("c’est un bluff")
    assert ben.choose("declare")


def a_bluff_is_caught_by_ear(listener: Listener, cleo: Player) -> None:
    assert "Ben says they can't play." in " ".join(listener.texts())
    before = cleo.seq
    listener.press("button", "You're bluffing!")
    cleo.wait_for_newer(before)
    assert "it was a bluff" in " ".join(listener.texts())
    expect(hand(cleo)).to_have_count(5)


def dan_misses_a_card(listener: Listener, dan: Player, cleo: Player) -> None:
    """Without a network the page says so and stands still; then it shows what was played."""
    with dan.expecting_errors():
        dan.page.context.set_offline(True)
        expect(dan.banner).to_be_visible()
        before = dan.seq
        listener.tab_to("radio", "cat")
        listener.keyboard.press("Space")
        listener.press("button", "Play")
        cleo.wait_for_newer(before)
        assert dan.seq == before
        dan.page.context.set_offline(False)
        dan.wait_for_newer(before)
        expect(dan.banner).to_be_hidden()
    expect(dan.page.locator(".discard .animal-card")).to_have_accessible_name("cat")


def an_honest_player_is_accused(four: Sequence[Player]) -> None:
    """Dan cannot play and says so; everybody sees the hand that proves it; Dan takes a card."""
    ana, *_, dan = four
    expect(dan.page.locator("#own .declare small")).to_have_text("this is true")
    assert dan.choose("declare")
    all_see(four)
    do(ana, "You're bluffing!")
    all_see(four)
    for player in four:
        expect(player.page.locator(".shown-hand .animal-card")).to_have_count(3)
    assert sizes(ana) == [2, 3, 4, 4]
    expect(hand(ana)).to_have_count(2)
    expect(hand(dan)).to_have_count(4)


def ana_and_ben_declare(ana: Player, ben: Player) -> None:
    do(ana, "I can't play")
    wait_for(lambda: ben.can("declare"), ben)
    assert ben.choose("declare")


def cleo_plays_her_only_card(listener: Listener, four: Sequence[Player], card: str) -> None:
    """It is chosen already: one key plays it."""
    *_, cleo, _ = four
    assert cleo.page.locator("#own .hand :checked").get_attribute("value") == card
    before = cleo.seq
    listener.press("button", "Play")
    cleo.wait_for_newer(before)
    all_see(four)


def a_round_with_a_slap(listener: Listener, four: Sequence[Player]) -> None:
    """Ana slaps Dan's bluff out of turn; what she and Ben declare is let pass."""
    ana, ben, cleo, dan = four
    for player in (ana, cleo):
        assert_accessible(player)
    cleo_plays_her_only_card(listener, four, "E")
    expect(dan.page.locator("#own .declare small")).to_have_text("this is a bluff")
    assert dan.choose("declare")
    all_see(four)
    for player in (ana, ben, cleo):
        expect(player.page.locator("#own .accuse")).to_be_enabled()
    before = ana.seq
    ana.page.locator("#own .accuse").tap()
    ana.wait_for_newer(before)
    all_see(four)
    assert sizes(ana) == [5, 4, 2, 3]
    assert "it was a bluff" in " ".join(listener.texts())
    for declarer in (ana, ben):
        wait_for(lambda declarer=declarer: declarer.can("declare"), declarer)
        assert declarer.choose("declare")
        all_see(four)
        for player in {ana, ben, dan} - {declarer}:
            assert player.choose("waive")
        assert listener.finds("button", "Let it pass")
        listener.press("button", "Let it pass")
        all_see(four)
    all_go_on(listener, four, "2 maki", round=3)


def a_round_that_ends_the_game(listener: Listener, four: Sequence[Player]) -> None:
    """Ana is wrong where there is no mercy and reads why she is out; Cleo completes her set."""
    ana, ben, cleo, dan = four
    cleo_plays_her_only_card(listener, four, "E")
    assert dan.choose("declare")
    all_see(four)
    do(ana, "You're bluffing!")
    all_see(four)
    assert sizes(ana) == [0, 4, 3, 5]
    own = ana.page.locator("#own")
    expect(own).to_contain_text("You're out of this round")
    expect(own).to_contain_text("No mercy: you had to discard your hand.")
    expect(own).to_contain_text("Still playing for 1 onigiri: Ben, Cleo, Dan.")
    assert_accessible(ana)
    assert wider_than_screen(ana.page) == []
    assert ben.choose("declare")
    for player in four:
        player.wait_for_phase("over")
        expect(player.page.locator(".ranking li")).to_have_count(4)
        expect(player.page.locator(".ranking li").first).to_contain_text("Cleo")
    all_see(four)
    assert "One dish of each kind: the game is over." in " ".join(listener.texts())
    for player in (ben, dan):
        assert_accessible(player)
    assert listener.finds("link", "Watch the replay")
    listener.press("link", "Watch the replay")
    cleo.page.wait_for_url("**/replay/*")
