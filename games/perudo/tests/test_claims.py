"""Calza out of turn: a claim opens an instant in which the player on turn or a nearer one wins."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.core.contract import IllegalMove
from games.perudo.models import Round
from tests.support.game_driver import CALZA, DUDO, LEAVE, GameDriver, bid, deal_game

# Three threes on the table and one paco: "4x3" is exact.
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6), (2, 2, 4, 5, 6))


@pytest.fixture
def dora(db: None) -> User:
    return User.objects.create_user("dora")


@pytest.fixture
def driver(alice: User, bob: User, charlie: User, dora: User) -> GameDriver:
    """Alice has bid 4x3; Bob is to speak."""
    driver = deal_game(alice, bob, charlie, dora, hands=HANDS, calza="on")
    driver.move(0, bid("4x3"))
    return driver


def test_a_claim_is_told_to_all_but_decides_nothing_yet(driver: GameDriver) -> None:
    driver.move(2, CALZA, after=1)
    assert (driver.state.phase, driver.state.claims) == ("claims", (2,))
    assert not Round.objects.exists()


def test_when_the_instant_is_over_the_claim_stands(driver: GameDriver) -> None:
    driver.move(2, CALZA, after=1)
    driver.run_due()
    result = driver.state.result
    assert (result.call, result.caller, result.count) == ("calza", 2, 4)


def test_the_claim_nearest_to_the_bidders_left_prevails_however_late(driver: GameDriver) -> None:
    driver.move(3, CALZA, after=1)
    driver.move(2, CALZA, after=0.2)
    driver.run_due()
    assert driver.state.result.caller == 2


def test_another_claim_does_not_make_the_instant_longer(driver: GameDriver) -> None:
    driver.move(3, CALZA, after=1)
    driver.move(2, CALZA, after=0.2)
    assert driver.times == (None, pytest.approx(0.1), pytest.approx(0.1))


@pytest.mark.parametrize("move", [bid("5x3"), DUDO])
def test_the_player_on_turn_prevails_over_a_claim_in_the_same_instant(
    driver: GameDriver, move: object
) -> None:
    """The claimant loses nothing (P41). The calza delay does not hold the player on turn back."""
    seen = driver.game.seq
    driver.move(2, CALZA, after=0.1)
    driver.move(1, move, after=0.2, seen=seen)
    assert driver.state.claims == ()
    assert driver.state.dice[2] == 5
    assert not Round.objects.filter(call="calza").exists()


def test_after_a_voided_claim_the_turn_goes_on_as_after_any_bid(driver: GameDriver) -> None:
    driver.move(2, CALZA, after=0.1)
    driver.move(1, bid("5x3"), after=0.2)
    assert (driver.state.phase, driver.state.turn) == ("turn", 2)
    assert driver.times == (1.5, 46.5, 46.5)


def test_a_calza_of_the_player_on_turn_prevails_at_once(driver: GameDriver) -> None:
    driver.move(1, CALZA, after=0.1)
    assert driver.state.phase == "reveal"
    assert driver.state.result.caller == 1


def test_a_calza_of_the_player_on_turn_overrules_a_claim(driver: GameDriver) -> None:
    driver.move(2, CALZA, after=0.1)
    driver.move(1, CALZA, after=0.1)
    assert driver.state.result.caller == 1


def test_a_claim_stands_when_its_player_leaves_in_the_same_instant(driver: GameDriver) -> None:
    driver.move(2, CALZA, after=1)
    driver.move(2, LEAVE, after=0.1)
    assert driver.times == (None, pytest.approx(0.2), pytest.approx(0.2))
    driver.run_due()
    assert driver.state.result.caller == 2


def test_nobody_claims_twice(driver: GameDriver) -> None:
    driver.move(2, CALZA, after=1)
    with pytest.raises(IllegalMove, match="already_claimed"):
        driver.move(2, CALZA, after=0.1)


def test_when_the_player_on_turn_leaves_the_claim_is_settled_all_the_same(
    driver: GameDriver,
) -> None:
    driver.move(2, CALZA, after=1)
    driver.move(1, LEAVE, after=0.1)
    driver.run_due()
    assert driver.state.result.caller == 2
    assert driver.state.out == (1,), "the round is over, so who left is out"
