"""Odds at the table: who reads them, that they are right, and that they tell no secret."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.lobby import lobby_frame
from games.models import Game
from games.perudo import presenter as perudo
from games.perudo import words
from games.perudo.forms import NewTableForm
from games.perudo.rules.bids import Bid, matching
from games.perudo.rules.odds import informed_odds, odds
from games.perudo.shown import LastOdds
from games.play import rematches
from games.table import frames
from games.table.common import look_at
from tests.support.fast_games import START, finished_game, running_game
from tests.support.game_driver import CONFIRM, DUDO, LEAVE, GameDriver, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


@pytest.fixture
def driver(alice: User, bob: User, charlie: User) -> GameDriver:
    return deal_game(alice, bob, charlie, hands=HANDS, show_odds=True, lost_dice_visible=True)


def read(driver: GameDriver, number: int) -> Any:
    """The odds of the last bid as this seat reads them; None where it reads none."""
    return perudo.own(look_at(driver.game), number).odds


def chances(driver: GameDriver, number: int) -> dict[int, str | None]:
    """What stands beside each face."""
    return {
        each.face: each.chance for each in perudo.own(look_at(driver.game), number).controls.faces
    }


def own_html(driver: GameDriver, person: User, number: int | None) -> str:
    return frames.own(driver.game, number, user=person)


# --- the numbers ---------------------------------------------------------------------------------


def test_a_seat_reads_how_likely_the_last_bid_is_by_its_own_dice(driver: GameDriver) -> None:
    driver.move(0, bid("6x5"))
    for number, hand in enumerate(HANDS):
        right = odds(Bid(6, 5), dice=15, hand=hand, palifico=False).true
        assert read(driver, number).plain == words.chance(right)
    assert len({read(driver, number).plain for number in range(3)}) == 3


def test_what_the_others_bid_counts_as_evidence(driver: GameDriver) -> None:
    driver.move(0, bid("5x5"))
    driver.move(1, bid("6x5"))
    made = driver.state.bids
    right = informed_odds(
        Bid(6, 5), dice=(5, 5, 5), seat=2, hand=HANDS[2], bids=made, palifico=False
    ).true
    plain = odds(Bid(6, 5), dice=15, hand=HANDS[2], palifico=False).true
    assert right > plain
    assert read(driver, 2) == LastOdds(plain=words.chance(plain), informed=words.chance(right))


def test_a_bid_that_only_the_reader_made_is_no_evidence_to_them(driver: GameDriver) -> None:
    driver.move(0, bid("6x5"))
    assert read(driver, 0).informed is None
    assert read(driver, 1).informed is not None


def test_beside_each_face_stands_the_chance_of_its_smallest_legal_bid(driver: GameDriver) -> None:
    driver.move(0, bid("4x4"))
    least = {5: 4, 6: 4, 4: 5, 1: 2}
    assert chances(driver, 1) == {2: None, 3: None} | {
        face: words.chance(odds(Bid(count, face), dice=15, hand=HANDS[1], palifico=False).true)
        for face, count in least.items()
    }
    assert chances(driver, 2).keys() == chances(driver, 1).keys()  # to choose from while waiting


def test_before_the_first_bid_there_is_nothing_to_judge(driver: GameDriver, alice: User) -> None:
    assert read(driver, 0) == LastOdds()
    assert "Odds: no bid yet" in own_html(driver, alice, 0)
    assert chances(driver, 0)[1] is None  # pacos may not open
    assert chances(driver, 0)[2] == words.chance(1.0)


def test_in_a_palifico_round_pacos_are_not_wild_in_the_odds_either(alice: User, bob: User) -> None:
    game = deal_game(alice, bob, hands=((2, 3, 4, 5, 6), (1, 2, 2, 5, 5)), **SHOWN)
    dice = [5, 5]
    for _ in range(4):  # Alice loses four dice by bidding too high
        game.move(0, bid("10x6"))
        game.move(1, DUDO)
        dice[0] -= 1
        game.move(0, CONFIRM)
        game.move(1, CONFIRM, rolls=[1] * dice[0] + [1, 2, 3, 4, 6])
    assert game.state.palifico == 0
    game.move(0, bid("2x6"))
    assert matching((1, 2, 3, 4, 6), 6, palifico=True) == 1
    assert read(game, 1).plain == words.chance(1 / 6)


SHOWN: dict[str, Any] = {"show_odds": True, "lost_dice_visible": True}


def test_only_what_is_certain_is_called_nought_or_a_hundred() -> None:
    said = {0.0: "0%", 0.001: "<1%", 0.453: "45%", 0.999: ">99%", 1.0: "100%"}
    assert {probability: words.chance(probability) for probability in said} == said


# --- who reads them ------------------------------------------------------------------------------


def test_the_page_says_the_odds_in_a_sentence(driver: GameDriver, bob: User) -> None:
    driver.move(0, bid("6x5"))
    seen = read(driver, 1)
    page = re.sub(r"\s+", " ", unescape(re.sub(r"</?b>", "", own_html(driver, bob, 1))))
    assert f"Odds for the last bid: {seen.plain} from your dice, {seen.informed}" in page
    assert f"chance that 7 is true: {chances(driver, 1)[5]}" in page


def test_a_table_without_the_option_says_nothing_of_odds(
    alice: User, bob: User, charlie: User
) -> None:
    plain = deal_game(alice, bob, charlie, hands=HANDS, lost_dice_visible=True)
    plain.move(0, bid("6x5"))
    assert read(plain, 1) is None
    page = own_html(plain, bob, 1) + frames.table(plain.game)
    assert "%" not in page and "odds" not in page


def test_hidden_lost_dice_stay_hidden_even_if_a_row_says_otherwise(
    alice: User, bob: User, charlie: User
) -> None:
    closed = deal_game(alice, bob, charlie, hands=HANDS, show_odds=True, lost_dice_visible=False)
    closed.move(0, bid("6x5"))
    assert read(closed, 1) is None
    assert "%" not in own_html(closed, bob, 1)


def test_only_who_has_dice_under_a_cup_reads_odds(driver: GameDriver, bob: User) -> None:
    driver.move(0, bid("6x5"))
    assert "from your dice" not in own_html(driver, bob, None)
    assert "%" not in frames.table(driver.game)
    driver.move(2, LEAVE)
    assert read(driver, 2) is None
    driver.move(1, DUDO)
    assert [read(driver, number) for number in range(3)] == [None] * 3


def test_a_seats_odds_do_not_depend_on_anothers_dice(alice: User, bob: User, charlie: User) -> None:
    seen = set()
    for others in ((2, 3, 4, 5, 6), (5, 5, 5, 5, 5), (1, 1, 1, 1, 1)):
        hands = (others, HANDS[1], others[::-1])
        game = deal_game(alice, bob, charlie, hands=hands, **SHOWN)
        game.move(0, bid("6x5"))
        own = own_html(game, bob, 1).replace(game.code, "here")
        seen.add(re.sub(r'data-(due|opens)="\d+"', "", own))
    assert len(seen) == 1


def test_a_finished_game_shows_no_odds(alice: User, bob: User) -> None:
    over = finished_game(alice, bob, **SHOWN)
    assert perudo.own(look_at(over), 0).odds is None


# --- choosing them -------------------------------------------------------------------------------


def chosen(**changes: str) -> dict[str, str]:
    form = {"preset": "asmodee_fr", "seats": "3", "pace": "45", "visibility": "public"}
    return form | {"lost_dice_visible": "on"} | changes


def test_a_host_asks_for_odds_under_advanced(alice_client: Client) -> None:
    page = alice_client.get("/games/new").content.decode()
    assert page.index("<details") < page.index('name="show_odds"') < page.index("</details>")
    alice_client.post("/games/new", chosen(show_odds="on"))
    assert Game.objects.get().show_odds


def test_odds_are_off_unless_asked_for(alice_client: Client) -> None:
    alice_client.post("/games/new", chosen())
    alice_client.post("/play-now", {"bots": "2"})
    assert list(Game.objects.values_list("show_odds", flat=True)) == [False, False]


def test_odds_and_hidden_lost_dice_are_refused_in_an_open_fold(alice_client: Client) -> None:
    answer = alice_client.post("/games/new", chosen(show_odds="on", lost_dice_visible=""))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "To show odds, also turn on “Show lost dice”" in page
    assert re.search(r"<details[^>]* open>", page)
    assert not Game.objects.exists()


def test_another_mistake_does_not_hide_behind_the_odds(db: None) -> None:
    form = NewTableForm(chosen(show_odds="on", seats="99"))
    assert not form.is_valid()
    assert set(form.errors) == {"seats"}
    assert not form.is_wrong_behind()


def test_a_table_with_odds_says_so_before_anybody_sits_down(
    alice_client: Client, bob_client: Client
) -> None:
    alice_client.post("/games/new", chosen(show_odds="on"))
    table = Game.objects.get()
    page = bob_client.get(f"/games/{table.code}").content.decode()
    assert '<span class="mark">odds shown</span>' in page
    assert page.count("Odds are shown:") == 4  # above, on a big screen, beside, all rules
    assert '<li class="mark">odds shown</li>' in lobby_frame.lobby()


def test_odds_come_along_to_the_rematch(alice: User, bob: User) -> None:
    over = finished_game(alice, bob, **SHOWN)
    assert rematches.rematch(over.code, bob, now=START).show_odds


def test_the_running_table_carries_the_mark(alice: User, bob: User) -> None:
    assert "odds shown" in frames.table(running_game(alice, bob, **SHOWN))
