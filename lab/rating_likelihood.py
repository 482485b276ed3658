"""The strengths that explain results best: maximum likelihood of a Plackett-Luce model.

The next place goes to each side that has none yet in proportion to exp(strength / luck), where the
strength of a side is the sum of its members' and luck depends on the table. Sides that share a
place are put in an order by chance, which does not matter on average.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np

from games.contract.rating_scale import POINTS_OF_TWO
from lab.rating_games import Result

Array = np.ndarray[Any, np.dtype[Any]]

ROUNDS = 50
CLOSE = 1e-7  # where to stop, in likelihood a game
FAR, LEAP = 30.0, 1.0  # of strengths, and of a step towards the likeliest, in luck
UNSURE = 0.7  # of the logarithm of luck at another table than the one that fixes the unit
LUCKS = [round(50 * 1.1**power) for power in range(30)]  # to choose from, in points
STEP = 1e-4  # of the differences that give the curvature


@dataclass(frozen=True)
class Strengths:
    """Strengths by player and luck by table, in points, with standard errors; mean 0 (`anchor`)."""

    points: Mapping[str, float]
    errors: Mapping[str, float]
    luck: Mapping[str, float]
    luck_errors: Mapping[str, float]
    loss: float  # per game


class _Model:
    """Orders of finish by table: arrays of the members of the sides, from first to last."""

    def __init__(self, games: Sequence[Result], anchor: Sequence[str], fixed: Mapping[str, float]):
        self.players = sorted({player for game in games for player in game.players})
        self.tables = sorted({game.key for game in games})
        self.fixed, self.games = fixed, len(games)
        self.free = [key for key in self.tables if key not in fixed]
        at = {player: number for number, player in enumerate(self.players)}
        nobody = len(self.players)
        self.orders: dict[str, Array] = {}
        for key in self.tables:
            those = [game for game in games if game.key == key]
            most = max(len(side) for game in those for side in game.sides)
            self.orders[key] = np.array(
                [
                    [
                        [at[game.players[seat]] for seat in side] + [nobody] * (most - len(side))
                        for side in _in_order(game, number)
                    ]
                    for number, game in enumerate(those)
                ]
            )
        self.mean = np.zeros(nobody)
        middle = [at[player] for player in anchor if player in at] or list(at.values())
        self.mean[middle] = 1 / len(middle)

    def scores(self, values: Array) -> tuple[float, Array]:
        """The log likelihood, and its slope in every value for each game."""
        nobody = len(self.players)
        strengths = np.append(values[:nobody] - self.mean @ values[:nobody], 0.0)
        total, rows = 0.0, []
        for key, order in self.orders.items():
            luck = self._luck(values, key)
            sides = strengths[order].sum(axis=2) / luck
            sides_exp = np.exp(np.clip(sides, -FAR, FAR))
            left = sides_exp[:, ::-1].cumsum(axis=1)[:, ::-1]
            total += float((sides - np.log(left)).sum())
            slope = 1 - sides_exp * (1 / left).cumsum(axis=1)
            row = np.zeros((len(order), len(values) + 1))
            games = np.arange(len(order))[:, None, None]
            np.add.at(row, (games, np.where(order == nobody, -1, order)), slope[:, :, None] / luck)
            row = row[:, :-1]
            row[:, :nobody] -= row[:, :nobody].sum(axis=1, keepdims=True) * self.mean
            if key in self.free:
                row[:, nobody + self.free.index(key)] = -(slope * sides).sum(axis=1)
            rows.append(row)
        expected = np.zeros((1, len(values)))
        expected[0, nobody:] = -values[nobody:] / UNSURE**2
        total -= 0.5 * float((values[nobody:] ** 2).sum()) / UNSURE**2
        return total, np.concatenate([*rows, expected])

    def _luck(self, values: Array, key: str) -> float:
        if key in self.fixed:
            return self.fixed[key] / POINTS_OF_TWO
        return exp(values[len(self.players) + self.free.index(key)])

    def curvature(self, values: Array) -> Array:
        columns = []
        for number in range(len(values)):
            step = np.zeros(len(values))
            step[number] = STEP
            up, down = (self.scores(values + sign * step)[1].sum(axis=0) for sign in (1, -1))
            columns.append((up - down) / (2 * STEP))
        return np.array(columns)


def _in_order(game: Result, number: int) -> list[tuple[int, ...]]:
    chance = random.Random(f"{number}/{game}")  # noqa: S311
    lots = [chance.random() for _ in game.sides]
    order = sorted(range(len(game.sides)), key=lambda side: (game.places[side], lots[side]))
    return [game.sides[side] for side in order]


def strengths(
    games: Sequence[Result], *, anchor: Sequence[str] = (), fixed: Mapping[str, float]
) -> Strengths:
    """Return the likeliest strengths, with a mean of 0 among `anchor`, or among all players.

    `fixed` is the luck at some tables, which gives the unit. The errors hold whether or not the
    model is right (the "sandwich" of curvature and slopes).
    """
    model = _Model(games, anchor, fixed)
    values = np.zeros(len(model.players) + len(model.free))
    value, slopes = model.scores(values)
    for _ in range(ROUNDS):
        inverse = np.linalg.pinv(_bent_down(model.curvature(values)), rcond=1e-9, hermitian=True)
        step, gained = -inverse @ slopes.sum(axis=0), 0.0
        step *= min(1.0, LEAP / max(np.abs(step).max(), 1e-12))
        for _ in range(20):
            better, new_slopes = model.scores(values + step)
            if better >= value:
                gained, value, slopes, values = better - value, better, new_slopes, values + step
                break
            step = step / 2
        if gained < CLOSE * model.games:
            break
    inverse = np.linalg.pinv(_bent_down(model.curvature(values)), rcond=1e-9, hermitian=True)
    errors = np.sqrt(np.diag(inverse @ (slopes.T @ slopes) @ inverse))
    count = len(model.players)
    points = (values[:count] - model.mean @ values[:count]) * POINTS_OF_TWO
    luck = {key: model._luck(values, key) * POINTS_OF_TWO for key in model.tables}
    return Strengths(
        dict(zip(model.players, points.tolist(), strict=True)),
        dict(zip(model.players, (errors[:count] * POINTS_OF_TWO).tolist(), strict=True)),
        luck,
        {key: luck[key] * float(errors[count + at]) for at, key in enumerate(model.free)},
        -value / model.games,
    )


def _bent_down(curvature: Array) -> Array:
    """The curvature with what bends upwards turned down, so that a step goes uphill."""
    sizes, ways = np.linalg.eigh((curvature + curvature.T) / 2)
    return np.asarray((ways * -np.abs(sizes)) @ ways.T)


def order_loss_of_equals(games: Sequence[Result]) -> float:
    """What the loss would be if all were equal."""
    return sum(log(n) for game in games for n in range(2, len(game.sides) + 1)) / len(games)


def luck_of_winners(found: Strengths, games: Sequence[Result], key: str) -> float:
    """The luck with which these strengths predict best who wins at such tables."""

    def loss(luck: float) -> float:
        total = 0.0
        for game in games:
            sides = [
                sum(found.points[game.players[seat]] for seat in side) / luck for side in game.sides
            ]
            first = [one for one, at in zip(sides, game.places, strict=True) if at == 1]
            total += log(sum(exp(one) for one in sides)) - sum(first) / len(first)
        return total

    games = [game for game in games if game.key == key]
    return min(LUCKS, key=loss)
