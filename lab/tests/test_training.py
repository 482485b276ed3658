"""The training of a network: the same from the same seed, also when it is interrupted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from games.perudo.bots import network
from lab.train_expert import Run
from lab.training import tables
from lab.training.chances import chances, code_of, every_table
from lab.training.compiled import IS_COMPILED
from lab.training.learning import SHAPES, Learner, slopes_of
from lab.training.players import NETWORK, SHARP, THRESHOLD
from lab.training.simulator import duel, gather, room
from lab.training.table import AT_ACTIVE, AT_SEATS

ODDS = (*tables.plain(), *tables.informed())


def run(path: Path, turns: int) -> Run:
    return Run(turns, seed=3, checkpoint=path, shards=2, shard=12)


def test_an_interrupted_training_learns_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        whole = run(tmp_path / "whole.npz", 3).go_on(ODDS, pool)
        half = run(tmp_path / "half.npz", 3)
        half.go_on(ODDS, pool, until=1)
        assert half.begun()[1] == 1
        again = half.go_on(ODDS, pool)
    assert network.checksum(again.average) == network.checksum(whole.average)


def test_slopes_are_those_of_the_loss() -> None:
    """Each layer's slope against a difference of the loss."""
    random = np.random.default_rng(5)
    place = room(24)
    gather(1, Learner.new(1).weights, ODDS, *place)
    features, masks, outcomes = place[1]
    weights = tuple(
        (each + random.normal(size=each.shape) * 0.01).astype(np.float64)
        for each in Learner.new(1).weights
    )
    _, slopes = slopes_of(weights, features, masks, outcomes)
    for layer, (shape, slope) in enumerate(zip(SHAPES, slopes, strict=True)):
        place_in = tuple(int(random.integers(size)) for size in shape)
        losses = []
        for step in (1e-4, -1e-4):
            moved = [each.copy() for each in weights]
            moved[layer][place_in] += step
            losses.append(slopes_of(tuple(moved), features, masks, outcomes)[0])
        assert slope[place_in] == pytest.approx((losses[0] - losses[1]) / 2e-4, abs=2e-4)


def test_games_of_the_training_keep_the_rules_and_are_won_as_by_the_bots() -> None:
    """An equal bot wins its share; sharp wins more than threshold bots do (docs/bots.md)."""
    place = room(1)
    weights = network.network().weights
    games = 2000 if IS_COMPILED else 24
    won = duel(1, games, 4, SHARP, THRESHOLD, 0.3, 0, weights, ODDS, *place)
    assert won / games > 0.2
    assert 0 <= duel(2, 1, 2, NETWORK, THRESHOLD, 0.0, 1, weights, ODDS, *place) <= 1
    r = place[0][3]
    assert r[AT_SEATS] == 2 and r[AT_ACTIVE] == 2


def test_chances_follow_from_who_loses_dice() -> None:
    """Where each seat loses a die equally often, equal dice are equal chances."""
    rounds = np.ones(6**6, np.int64)
    losses = np.zeros((6**6, 6), np.int64)
    for dice in every_table():
        rounds[code_of(dice)] = len(dice)
        for level in set(dice):
            losses[code_of(dice), level] = dice.count(level)
    found = chances(rounds, losses)
    assert found[(5, 5, 5)][5] == pytest.approx(1 / 3)
    assert found[(2, 1)] == pytest.approx({2: 3 / 4, 1: 1 / 4})
    for dice, each in found.items():
        assert sum(each[own] for own in dice) == pytest.approx(1)
