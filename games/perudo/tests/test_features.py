"""What the network is told: the same where it plays and where it is trained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from games.perudo import rules
from games.perudo.bots import features, network
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.options import CHOICES, Options
from games.perudo.rules.state import State
from games.perudo.tests.random_games import steps
from games.perudo.tests.tables import table
from tests.games.contract.random_games import seeded
from tools.training import features as trained
from tools.training import players, tables
from tools.training.table import (
    AT_ACTIVE,
    AT_ANY_FACE,
    AT_BIDDER,
    AT_BIDS,
    AT_CALZA,
    AT_CALZA_PLAYERS,
    AT_FACE,
    AT_IN_PALIFICO,
    AT_NEEDS_LOST,
    AT_OPENER,
    AT_PACO_OPENING,
    AT_PALIFICO,
    AT_QUANTITY,
    AT_SEATS,
    AT_TOTAL,
    AT_TURN,
    AT_WHO,
    empty,
)

KINDS = (Dudo(), Calza(), features.PASS)
ODDS = (*tables.plain(), *tables.informed())


def decisions(games: int) -> Iterator[tuple[State, int]]:
    """Positions of random games under any settings, and the seats that decide there."""
    generator = seeded(7)
    for number in range(games):
        options = Options(**{name: generator.choice(each) for name, each in CHOICES.items()})
        for step in steps(seeded(number), options=options):
            state = step.after
            if state.phase == "turn" and not state.gone:
                yield from ((state, seat) for seat in rules.to_act(state))


def in_arrays(state: State) -> tuple[np.ndarray, ...]:
    dice, hands, times, r = empty()
    options = state.options
    for seat, left in enumerate(state.dice):
        dice[seat] = left
        for die in state.hands[seat] or ():
            hands[seat, die] += 1
    for seat, bid in state.bids:
        times[seat, bid.face] += 1
    r[AT_SEATS], r[AT_TOTAL], r[AT_ACTIVE] = state.seats, sum(state.dice), len(state.active)
    r[AT_PALIFICO], r[AT_BIDS] = state.palifico is not None, len(state.bids)
    r[AT_TURN], r[AT_OPENER], r[AT_BIDDER] = state.turn, state.opener, -1
    if state.last_bid is not None:
        r[AT_QUANTITY], r[AT_FACE] = state.last_bid.quantity, state.last_bid.face
        r[AT_BIDDER] = state.bidder
    r[AT_CALZA] = options.calza == "on"
    r[AT_WHO] = CHOICES["calza_who"].index(options.calza_who)
    r[AT_IN_PALIFICO], r[AT_CALZA_PLAYERS] = options.calza_in_palifico, options.calza_min_players
    r[AT_NEEDS_LOST] = options.calza_needs_lost_die
    r[AT_ANY_FACE] = options.raise_rule == "any_face_if_more"
    r[AT_PACO_OPENING] = options.paco_opening == "palifico_only"
    return dice, hands, times, r


def test_the_network_is_told_the_same_as_in_its_training() -> None:
    s, c, moves, order, *_ = players.scratch()
    mask = np.zeros(trained.OUTCOMES, np.uint8)
    compared = 0
    for state, seat in decisions(12):
        hand = state.hand(seat)
        weighed = features.choices(state, seat, hand)
        p, hands = features.position(state, seat), features.counts_of(hand)
        dice, own, times, r = in_arrays(state)
        n = trained.seats_from(r, dice, seat, order)
        trained.of_state(s, ODDS, r, dice, own, times, seat, order, n)
        count = trained.moves_of(moves, c, ODDS, r, dice, own, times, seat, order, n)
        assert count == len(weighed)
        np.testing.assert_allclose(features.of_state(p, hands)[0], s, atol=1e-6)
        found = features.of_moves(p, hands, weighed, network.smallest(state))[0]
        np.testing.assert_allclose(found, c[:count], atol=1e-6)
        for move, row, possible in zip(weighed, moves, features.masks(p, weighed), strict=False):
            if isinstance(move, Bid):
                assert (move.quantity, move.face) == (row[1], row[2])
            else:
                assert KINDS[row[0]] == move
            trained.possible(mask, row[0], r, dice, order, n)
            assert (mask.astype(bool) == possible).all()
        compared += count
    assert compared > 5_000


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
