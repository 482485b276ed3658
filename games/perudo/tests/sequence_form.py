"""Exact values of small rounds between two, by a linear program over all courses of a round.

Koller, Megiddo and von Stengel's sequence form: a player's variables are how likely its own
actions, taken in order, are. Nothing of the bots' tables is used here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, hstack


@dataclass(frozen=True)
class SmallRound:
    """A round of claims: each claim must be after the last one; the first player opens.

    `hands` are each player's with their probabilities; `over` gives the claims after the last one
    (None: the first claim), and `true` says whether a claim is true of both hands.
    """

    hands: tuple[dict[Hashable, float], dict[Hashable, float]]
    over: Callable[[Hashable | None], Sequence[Hashable]]
    true: Callable[[Hashable, Hashable, Hashable], bool]


def value(game: SmallRound) -> float:
    """What the round is worth to its opener, in [-1, 1], when both play as well as can be."""
    builder = _Builder(game)
    payoff, own, other = builder.matrices()
    sequences, nodes = own.shape[1], other.shape[0]
    gain = np.zeros(sequences + nodes)  # the variables: the opener's plan, then the other's nodes
    gain[sequences] = -1
    solved = linprog(
        gain,
        A_ub=hstack([-payoff.T, other.T]),
        b_ub=np.zeros(payoff.shape[1]),
        A_eq=hstack([own, csr_array((own.shape[0], nodes))]),
        b_eq=[1.0] + [0.0] * (own.shape[0] - 1),
        bounds=[(0, None)] * sequences + [(None, None)] * nodes,
        method="highs-ipm",
    )
    assert solved.success, solved.message
    return float(-solved.fun)


class _Builder:
    """Walks all courses of a round once and numbers sequences and nodes of both players."""

    def __init__(self, game: SmallRound) -> None:
        self.game = game
        self.sequences: tuple[dict[Hashable, int], dict[Hashable, int]] = ({None: 0}, {None: 0})
        self.plans: tuple[list[tuple[int, int, int]], ...] = ([(0, 0, 1)], [(0, 0, 1)])
        self.nodes = [1, 1]
        self.payoffs: list[tuple[int, int, float]] = []
        self._walk((), None)

    def matrices(self) -> tuple[csr_array, csr_array, csr_array]:
        shape = (len(self.sequences[0]), len(self.sequences[1]))
        plans = [
            _sparse(self.plans[player], (self.nodes[player], shape[player])) for player in (0, 1)
        ]
        return _sparse(self.payoffs, shape), plans[0], plans[1]

    def _walk(self, course: tuple[Hashable, ...], last: Hashable | None) -> None:
        mover = len(course) % 2
        claims = self.game.over(last)
        calls = [] if last is None else ["dudo"]
        numbers, plan = self.sequences[mover], self.plans[mover]
        for hand in self.game.hands[mover]:
            node, self.nodes[mover] = self.nodes[mover], self.nodes[mover] + 1
            plan.append((node, self._sequence(mover, hand, course), -1))
            for action in (*claims, *calls):
                numbers[hand, (*course, action)] = len(numbers)
                plan.append((node, numbers[hand, (*course, action)], 1))
        if last is not None:
            self._call(course, last)
        for claim in claims:
            self._walk((*course, claim), claim)

    def _sequence(self, player: int, hand: Hashable, course: tuple[Hashable, ...]) -> int:
        """The number of what the player has done in this course."""
        taken = course if (len(course) - 1) % 2 == player else course[:-1]
        return self.sequences[player][(hand, taken) if taken else None]

    def _call(self, course: tuple[Hashable, ...], claim: Hashable) -> None:
        caller = len(course) % 2
        for first, chance in self.game.hands[0].items():
            for second, other_chance in self.game.hands[1].items():
                loses = caller if self.game.true(claim, first, second) else 1 - caller
                at = [
                    self.sequences[player][hand, (*course, "dudo")]
                    if player == caller
                    else self._sequence(player, hand, course)
                    for player, hand in ((0, first), (1, second))
                ]
                worth = chance * other_chance * (1 if loses == 1 else -1)
                self.payoffs.append((at[0], at[1], worth))


def _sparse(entries: Sequence[tuple[int, int, float]], shape: tuple[int, int]) -> csr_array:
    rows, columns, values = zip(*entries, strict=True)
    return coo_array((values, (rows, columns)), shape=shape, dtype=float).tocsr()
