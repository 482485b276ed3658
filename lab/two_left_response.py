"""The exact best response to a table, over every course of a round, compiled with numba."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(fastmath=True)
def doubted(quantity, mine, theirs, reach, sign, value, share):
    """Adds to `value` what dudo is worth (`sign` 1: I call it); `reach` is of the others' hands."""
    at_least = np.zeros(7)
    for o in range(len(reach)):
        at_least[theirs[o]] += reach[o] * share[o]
    for n in range(5, -1, -1):
        at_least[n] += at_least[n + 1]
    for h in range(len(mine)):
        needed = min(max(quantity - mine[h], 0), 6)
        value[h] += sign * (at_least[0] - 2 * at_least[needed])


@njit(fastmath=True)
def best_response(me, other_offset, moves, child, arrows, quantity, face, mine, theirs, chance,
                  other_chance, table, depth):  # fmt: skip
    """What the best answer of player `me` to the other's `table` is worth, in [-1, 1].

    It remembers all bids; `table` holds for each state and move the probabilities by hand.
    """
    hands, others = mine.shape[1], theirs.shape[1]
    ones = np.ones(others)
    reach = np.zeros((depth + 1, others))
    value = np.zeros((depth + 1, hands))
    state = np.zeros(depth + 1, np.int64)
    move = np.zeros(depth + 1, np.int64)
    reach[0] = other_chance
    state[0] = arrows
    at = 0
    fresh = True
    while True:
        s = state[at]
        n, mover = moves[s], at % 2
        bids = n if s == arrows else n - 1
        if fresh:
            move[at] = 0
            if mover == me:
                if bids < n:
                    value[at] = 0
                    doubted(quantity[s], mine[face[s]], theirs[face[s]], reach[at], 1.0,
                            value[at], ones)  # fmt: skip
                else:
                    value[at] = -np.inf
            else:
                value[at] = 0
                if bids < n:
                    start = other_offset[s] + bids * others
                    doubted(quantity[s], mine[face[s]], theirs[face[s]], reach[at], -1.0,
                            value[at], table[start : start + others])  # fmt: skip
        deeper = False
        while move[at] < bids:
            k = move[at]
            move[at] += 1
            if mover == me:
                reach[at + 1] = reach[at]
                deeper = True
            else:
                start = other_offset[s] + k * others
                for o in range(others):
                    reach[at + 1, o] = reach[at, o] * table[start + o]
                    deeper |= reach[at + 1, o] > 1e-12
            if deeper:
                state[at + 1] = child[s] + k
                break
            if mover == me:
                value[at] = np.maximum(value[at], 0)
        if deeper:
            at += 1
            fresh = True
            continue
        if at == 0:
            break
        at -= 1
        fresh = False
        if at % 2 == me:
            value[at] = np.maximum(value[at], value[at + 1])
        else:
            value[at] += value[at + 1]
    return (value[0] * chance).sum()
