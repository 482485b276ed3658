"""Calza out of turn: a claim opens an instant in which the player on turn or a nearer one wins."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.core.contract import IllegalMove
from games.perudo.models import Round
from tests.games.evening import CALZA, DUDO, LEAVE, Evening, bid, dealt

# Three threes on the table and one paco: "4x3" is exact.
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6), (2, 2, 4, 5, 6))


@pytest.fixture
def dora(db: None) -> User:
    return User.objects.create_user("dora")


@pytest.fixture
def evening(alice: User, bob: User, charlie: User, dora: User) -> Evening:
    """Alice has bid 4x3; Bob is to speak."""
    evening = dealt(alice, bob, charlie, dora, hands=HANDS, calza="on")
    evening.says(0, bid("4x3"))
    return evening


def test_a_claim_is_told_to_all_but_decides_nothing_yet(evening: Evening) -> None:
    evening.says(2, CALZA, after=1)
    assert (evening.state.phase, evening.state.claims) == ("claims", (2,))
    assert not Round.objects.exists()


def test_when_the_instant_is_over_the_claim_stands(evening: Evening) -> None:
    evening.says(2, CALZA, after=1)
    evening.clock_strikes()
    result = evening.state.result
    assert (result.call, result.caller, result.count) == ("calza", 2, 4)


def test_the_claim_nearest_to_the_bidders_left_prevails_however_late(evening: Evening) -> None:
    evening.says(3, CALZA, after=1)
    evening.says(2, CALZA, after=0.2)
    evening.clock_strikes()
    assert evening.state.result.caller == 2


def test_another_claim_does_not_make_the_instant_longer(evening: Evening) -> None:
    evening.says(3, CALZA, after=1)
    evening.says(2, CALZA, after=0.2)
    assert evening.times == (None, pytest.approx(0.1), pytest.approx(0.1))


@pytest.mark.parametrize("move", [bid("5x3"), DUDO])
def test_the_player_on_turn_prevails_over_a_claim_in_the_same_instant(
    evening: Evening, move: object
) -> None:
    """The claimant loses nothing (P41). The calza delay does not hold the player on turn back."""
    seen = evening.game.seq
    evening.says(2, CALZA, after=0.1)
    evening.says(1, move, after=0.2, seen=seen)
    assert evening.state.claims == ()
    assert evening.state.dice[2] == 5
    assert not Round.objects.filter(call="calza").exists()


def test_after_a_voided_claim_the_turn_goes_on_as_after_any_bid(evening: Evening) -> None:
    evening.says(2, CALZA, after=0.1)
    evening.says(1, bid("5x3"), after=0.2)
    assert (evening.state.phase, evening.state.turn) == ("turn", 2)
    assert evening.times == (1.5, 46.5, 46.5)


def test_a_calza_of_the_player_on_turn_prevails_at_once(evening: Evening) -> None:
    evening.says(1, CALZA, after=0.1)
    assert evening.state.phase == "reveal"
    assert evening.state.result.caller == 1


def test_a_calza_of_the_player_on_turn_overrules_a_claim(evening: Evening) -> None:
    evening.says(2, CALZA, after=0.1)
    evening.says(1, CALZA, after=0.1)
    assert evening.state.result.caller == 1


def test_a_claim_stands_when_its_player_leaves_in_the_same_instant(evening: Evening) -> None:
    evening.says(2, CALZA, after=1)
    evening.says(2, LEAVE, after=0.1)
    assert evening.times == (None, pytest.approx(0.2), pytest.approx(0.2))
    evening.clock_strikes()
    assert evening.state.result.caller == 2


def test_nobody_claims_twice(evening: Evening) -> None:
    evening.says(2, CALZA, after=1)
    with pytest.raises(IllegalMove, match="already_claimed"):
        evening.says(2, CALZA, after=0.1)


def test_when_the_player_on_turn_leaves_the_claim_is_settled_all_the_same(
    evening: Evening,
) -> None:
    evening.says(2, CALZA, after=1)
    evening.says(1, LEAVE, after=0.1)
    evening.clock_strikes()
    assert evening.state.result.caller == 2
    assert evening.state.out == (1,), "the round is over, so who left is out"
