"""Who is away is told so to the others; who comes back reads what was played for them."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from games.peco_peco.tests import fast_games
from tests.support.game_driver import GameDriver, bid, deal_game, hand_to_bots_now

pytestmark = pytest.mark.django_db
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
AWAY = "Away. A bot plays in"


def page(person: User, driver: GameDriver) -> str:
    client = Client()
    client.force_login(person)
    return re.sub(r"\s+", " ", client.get(f"/games/{driver.code}").content.decode())


def test_a_turn_after_one_that_was_missed_says_that_a_bot_plays_next(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    assert AWAY not in page(bob, driver)
    driver.run_due()  # the clock bids for Alice
    driver.move(1, bid("3x2"))
    assert AWAY in page(bob, driver)
    assert AWAY in page(alice, driver), "the table is one for all; the reader's own is hidden"
    driver.move(0, bid("4x2"))
    driver.move(1, bid("5x2"))
    assert AWAY not in page(bob, driver), "she is back"


def test_no_clock_no_promise(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS, turn_seconds=None)
    Game.objects.update(watched_at=driver.now)
    driver.game.seat_set.filter(number=0).update(missed=1)
    assert AWAY not in page(bob, driver)


def test_who_comes_back_reads_what_a_bot_bid(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    driver.move(0, bid("1x3"))
    driver.move(1, bid("1x5"))
    hand_to_bots_now(driver, 0)
    driver.run_due(rolls=None)
    before = driver.state.bids
    assert len(before) == 3, "the bot has bid"
    made = f"You bid {before[-1][1].quantity} "
    seen = page(alice, driver)
    assert "so a bot is playing for you" in seen
    told = seen[seen.index("Played for you:") :]
    assert told.startswith(f"Played for you: {made}") and "You bid 1 three" not in told
    assert "Played for you:" not in page(bob, driver)
    driver.come_back(0)
    assert "Played for you:" not in page(alice, driver)


def test_in_peco_peco_too(alice: User, bob: User) -> None:
    driver = GameDriver(fast_games.running_game(alice, bob, "easy", "easy", seed=3))
    hand_to_bots_now(driver, 0, 1)
    while "Played for you:" not in page(alice, driver):
        Game.objects.update(watched_at=driver.now)
        driver.run_due(rolls=None)
    told = page(alice, driver)
    assert re.search(r"Played for you: You (play|say|draw)", told)
