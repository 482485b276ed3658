"""The chance to win a game between its rounds, from how often networks lose a die to each other."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from lab.training.simulator import count_losses, room
from lab.training.table import SEATS

PARTS: Final = 16  # games are played in so many parts, on however many cores
CODES: Final = 6**SEATS

Dice = tuple[int, ...]  # of all seats that have some, the most first


def code_of(dice: Dice) -> int:
    code = 0
    for each in dice:
        code = 6 * code + each
    return code


def every_table() -> list[Dice]:
    """All tables of two to six seats with one to five dice."""
    return [
        dice
        for seats in range(2, SEATS + 1)
        for dice in combinations_with_replacement(range(5, 0, -1), seats)
    ]


def counted(
    pool: Executor, weights: Any, odds: Any, *, games: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Rounds by table, and losses by table and dice of the loser, of so many games from each table
    with its dice in a chance order.
    """
    random = np.random.default_rng(seed)
    starts = np.zeros((games * len(every_table()), SEATS), np.int64)
    for row, dice in zip(starts, every_table() * games, strict=True):
        row[: len(dice)] = random.permutation(dice)
    random.shuffle(starts)
    rounds = np.zeros((PARTS, CODES), np.int64)
    losses = np.zeros((PARTS, CODES, 6), np.int64)

    def play(part: int) -> None:
        count_losses(
            seed * PARTS + part,
            starts[part::PARTS],
            weights,
            odds,
            *room(1),
            rounds[part],
            losses[part],
        )

    list(pool.map(play, range(PARTS)))
    return rounds.sum(axis=0), losses.sum(axis=0)


def chances(rounds: Any, losses: Any) -> dict[Dice, dict[int, float]]:
    """By table and own dice, the chance to win: the loss of a die leads to a smaller table.

    It does not look at who opens. The chances of all seats of a table add up to 1.
    """

    @cache
    def chance(dice: Dice, mine: int) -> float:
        if not mine:
            return 0.0
        if len(dice) == 1:
            return 1.0
        code = code_of(dice)
        total = 0.0
        for level in set(dice):
            each = losses[code, level] / rounds[code] / dice.count(level)
            others = dice.count(level) - (level == mine)
            total += each * others * chance(_without(dice, level), mine)
            if level == mine:
                total += each * chance(_without(dice, level), mine - 1)
        return float(total)

    return {dice: {mine: chance(dice, mine) for mine in set(dice)} for dice in every_table()}


def _without(dice: Dice, level: int) -> Dice:
    """The table when a seat with so many dice has lost one."""
    left = list(dice)
    left[left.index(level)] -= 1
    return tuple(sorted(filter(None, left), reverse=True))
