"""What the network is told: the same where it plays and where it is trained."""

from __future__ import annotations

import numpy as np

from games.perudo.bots import features, network
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.options import CHOICES
from games.perudo.rules.state import State
from games.perudo.tests.random_games import decisions
from lab.training import features as trained
from lab.training import players, tables
from lab.training.table import (
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
