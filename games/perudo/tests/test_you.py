"""What concerns the reader is said to the reader, in their own fragment; others read the name."""

from __future__ import annotations

import re

import pytest

from accounts.models import User
from games.table import frames
from tests.support.game_driver import DUDO, GameDriver, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


@pytest.fixture
def driver(alice: User, bob: User, charlie: User) -> GameDriver:
    return deal_game(alice, bob, charlie, hands=HANDS)


def own(driver: GameDriver, seat: int | None) -> str:
    return frames.own(driver.game, seat, user=None)


def test_the_player_who_opens_is_told_so(driver: GameDriver) -> None:
    assert "You start this round" in own(driver, 0)
    assert 'Round 1: you start. Your turn."' in own(driver, 0)
    assert "data-alone" not in own(driver, 1)
    driver.move(0, bid("3x3"))
    assert "You start this round" not in own(driver, 1)


def test_a_bidder_hears_of_their_own_bid_and_the_others_of_the_name(driver: GameDriver) -> None:
    driver.move(0, bid("3x3"))
    assert 'data-alone="You bid 3 threes."' in own(driver, 0)
    for other in (1, 2, None):
        assert "data-alone" not in own(driver, other)
    assert 'data-narration="alice bids 3 threes."' in frames.table(driver.game)


def test_the_player_who_loses_a_die_reads_it_above_the_button(driver: GameDriver) -> None:
    driver.move(0, bid("3x3"))
    driver.move(1, DUDO)  # there are three: the doubter loses
    assert re.search(r'<p class="became is-loss"[^>]*>You lose a die.</p>', own(driver, 1))
    assert "You call dudo! The count is" in own(driver, 1)
    assert "You lose a die" not in own(driver, 0) + own(driver, 2)


def test_the_shared_fragment_is_the_same_for_all(driver: GameDriver) -> None:
    """It tells each seat's player and all others; CSS shows either (seats.css)."""
    driver.move(0, bid("3x3"))
    shared = " ".join(frames.table(driver.game).split())
    assert '<span data-for="0"> You bid 3 threes </span>' in shared
    assert '<span data-not="0"> <span class="in-short">alice</span> bids 3 threes </span>' in shared
    told = re.findall(r'data-for="\d">[^<]*|class="you">[^<]*', shared)
    assert shared.count("You") == sum("You" in each for each in told) > 0
