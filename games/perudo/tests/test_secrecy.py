"""Dice under a cup stay hidden; tests/games/contract holds what every game promises."""

from __future__ import annotations

import pytest

from games.core.contract import Sealed, fold, may_know
from games.perudo import rules
from games.perudo.rules.options import SITE_OPTIONS
from games.perudo.tests.random_games import steps
from games.perudo.tests.tables import table
from tests.games.contract.random_games import seeded


def test_asking_for_a_sealed_hand_says_so() -> None:
    facts = next(steps(seeded(1), options=SITE_OPTIONS)).facts
    state = fold(rules, [fact for fact in facts if may_know(fact, 0)])
    assert len(state.hand(0)) == 5
    with pytest.raises(Sealed, match="seat 1"):
        state.hand(1)


def test_a_state_never_prints_a_hand() -> None:
    assert "6, 6" not in repr(table([[6, 6, 6], [6, 6]], bid="2x6"))


def test_calza_is_offered_to_every_entitled_seat_whatever_its_hand() -> None:
    fits = table([[2, 2], [3, 3], [2, 2], [6, 6]], bid="4x2", calza="on")
    fails = table([[2, 2], [3, 3], [6, 6], [2, 2]], bid="8x6", calza="on")
    assert rules.to_act(fits) == rules.to_act(fails) == (1, 2, 3)  # P35
