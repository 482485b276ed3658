"""What the network is told and what it says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from games.perudo.bots import features, network, two_left_values
from games.perudo.review import judge
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.tests.random_games import decisions
from games.perudo.tests.tables import table


def test_several_hands_at_once_are_told_like_each_alone() -> None:
    state = table([(1, 2, 2, 5, 6), (3, 3, 4), (6,)], bid="3x5", bidder=2)
    p, least = features.position(state, 0), network.smallest(state)
    moves = features.choices(state, 0, state.hand(0))
    hands = [(1, 2, 2, 5, 6), (1, 1, 1, 1, 1), (2, 3, 4, 5, 6)]
    counts = np.concatenate([features.counts_of(hand) for hand in hands])
    together = network.network().outcomes(p, counts, moves, least)
    for hand, found in zip(hands, together, strict=True):
        alone = network.network().outcomes(p, features.counts_of(hand), moves, least)[0]
        np.testing.assert_allclose(found, alone, atol=1e-5)


def test_outcomes_are_probabilities_of_what_can_happen() -> None:
    for state, seat in decisions(4):
        p = features.position(state, seat)
        moves = features.choices(state, seat, state.hand(seat))
        found = network.network().outcomes(
            p, features.counts_of(state.hand(seat)), moves, network.smallest(state)
        )[0]
        np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
        assert (found[~features.masks(p, moves)] == 0).all()


def test_a_certain_bid_is_no_risk_and_a_certain_lie_is_one() -> None:
    """Worth in dice: one of mine is -1, one of another 1 / (players - 1)."""
    state = table([(6, 6), (2, 3), (4, 5)], bid="6x6", bidder=2)
    dudo, higher = network.weigh(state, 0, [Dudo(), Bid(7, 6)])
    assert dudo > 0.1 and higher < -0.7
    assert network.worth(3)[:3].tolist() == [-1, 0.5, 0.5]


def test_a_call_that_own_dice_settle_is_worth_exactly_what_it_is() -> None:
    """Whatever the table's rules, on its turn or not: a call that cannot be right costs a die, and
    a doubt that cannot be wrong costs the bidder one.
    """
    seen = Counter[tuple[str, float]]()
    for state, seat in decisions(12):
        moves = features.choices(state, seat, state.hand(seat))
        judged = judge.judge(state, seat, moves[0])
        values = judge.outcomes(state, seat, moves) @ network.worth(len(state.active))
        going_on = [not isinstance(move, Dudo | Calza) for move in moves]  # calls are believed
        assert values[going_on] == pytest.approx(judged.values[going_on], abs=1e-9)
        for number, (move, odds) in enumerate(zip(moves, judged.odds, strict=True)):
            if isinstance(move, Dudo | Calza) and odds in (0, 1):
                right = 1 / (len(state.active) - 1)
                assert judged.values[number] == pytest.approx(right if odds else -1, abs=1e-9)
                if two_left_values.values(state, seat) is None:
                    weighed = network.weigh(state, seat, [move])
                    assert weighed[0] == pytest.approx(judged.values[number], abs=1e-9)
                seen[move.kind, odds] += 1
    assert set(seen) == {("dudo", 0), ("dudo", 1), ("calza", 0)} and min(seen.values()) > 10, seen


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    weights = [each.copy() for each in network.network().weights]
    network.write(path, weights, version=1, command="a test")
    assert network.read(path).checksum == network.network().checksum
    kept = dict(np.load(path))
    kept["bias_2"] = kept["bias_2"] + 1
    np.savez(path, **kept)
    with pytest.raises(ValueError, match="damaged"):
        network.read(path)


def test_hidden_lost_dice_are_counted_along() -> None:
    state = table([(6, 6), (2, 3), (4, 5)], bid="2x6", bidder=2)
    hidden = replace(state, options=replace(state.options, lost_dice_visible=False))
    moves = features.choices(state, 0, state.hand(0))
    assert (network.weigh(state, 0, moves) == network.weigh(hidden, 0, moves)).all()
