"""Fixed-strategy-iteration CFR for a round between two players, compiled with numba.

After Neller and Hnath: the states (the last two bids, who is to move) form a graph without circles,
so one pass along it gives how likely each is reached and one pass back what each is worth. Here a
pass takes several hands of the other player and all hands of one's own at once.

Players forget earlier bids, so several ways lead to one state. A way counts by how likely one's
own strategy takes it (with so many slips, `slip`), relative to how likely it is where the
other player moves at random; where nothing is forgotten this is plain CFR. With `every_way` each
way of one's own counts alike instead.

Arrays: `strategy`, `regrets` and `average` hold for each state and move a row of all hands;
`joint` and `value` are [state, player to move, hand of the other, own hand].
"""

from __future__ import annotations

import numpy as np
from numba import njit

TINY = np.float32(1e-20)  # regrets that sum to less are none: shares of it are no numbers


@njit(fastmath=True, error_model="numpy")
def match_regrets(offset, moves, hands, regrets, strategy):
    """Forgets negative regrets (CFR+) and plays in proportion to the others."""
    total = np.empty(hands, np.float32)
    for state in range(len(offset)):
        if offset[state] < 0:
            continue
        n, at = moves[state], offset[state]
        total[:] = 0
        for start in range(at, at + n * hands, hands):
            row = regrets[start : start + hands]
            for h in range(hands):
                row[h] = max(row[h], np.float32(0))
                total[h] += row[h]
        for start in range(at, at + n * hands, hands):
            row, out = regrets[start : start + hands], strategy[start : start + hands]
            for h in range(hands):
                out[h] = row[h] / total[h] if total[h] > TINY else np.float32(1) / n


@njit(fastmath=True, error_model="numpy", inline="always")
def add_scaled(to, source, factor):
    for h in range(len(to)):
        to[h] += source[h] * factor


@njit(fastmath=True, error_model="numpy", inline="always")
def add_product(to, source, factors):
    for h in range(len(to)):
        to[h] += source[h] * factors[h]


@njit(fastmath=True, error_model="numpy")
def forward(me, mine, theirs, moves, child, order, hands, others, batch, strategy,
            other_strategy, slip, every_way, joint, own):  # fmt: skip
    """How likely each state is reached: `joint` with both strategies, `own` [state, player to
    move, own hand] against the reference."""
    joint[:] = 0
    own[:] = 0
    joint[order[0], 0] = 1
    own[order[0], 0] = 1
    p = np.empty(hands, np.float32)
    for state in order:
        n, c = moves[state], child[state]
        bids = n if state == order[0] else n - 1
        if mine[state] >= 0:
            for k in range(bids):
                start = mine[state] + k * hands
                for h in range(hands):
                    p[h] = strategy[start + h] * (1 - slip) + slip / n
                if every_way:
                    p[:] = 1
                add_product(own[c + k, 1 - me], own[state, me], p)
                for b in range(len(batch)):
                    add_product(joint[c + k, 1 - me, b], joint[state, me, b], p)
        if theirs[state] >= 0:
            for k in range(bids):
                add_scaled(own[c + k, me], own[state, 1 - me], np.float32(1) / n)
                for b in range(len(batch)):
                    q = other_strategy[theirs[state] + k * others + batch[b]]
                    if q > 0:
                        add_scaled(joint[c + k, me, b], joint[state, 1 - me, b], q)


@njit(fastmath=True, error_model="numpy")
def dudo(needed, matches, sign, out):
    """What dudo is worth to me (`sign` 1: I call it) where the other's hand leaves so many."""
    for h in range(len(out)):
        out[h] = -sign if matches[h] >= needed else sign


@njit(fastmath=True, error_model="numpy")
def update(me, mine, theirs, moves, child, order, quantity, face, matches, other_matches, batch,
           weight, strategy, other_strategy, slip, every_way, regrets, joint, own,
           value):  # fmt: skip
    """Adds to the regrets of player `me` what these hands of the other say; their weight."""
    hands, others, size = matches.shape[1], other_matches.shape[1], len(batch)
    forward(me, mine, theirs, moves, child, order, hands, others, batch, strategy,
            other_strategy, slip, every_way, joint, own)  # fmt: skip
    called = np.empty((size, hands), np.float32)
    base = np.empty(hands, np.float32)
    for state in order[::-1]:
        n, c = moves[state], child[state]
        root = state == order[0]
        bids = n if root else n - 1
        if theirs[state] >= 0:
            for b in range(size):
                out = value[state, 1 - me, b]
                out[:] = 0
                if not root:
                    needed = quantity[state] - other_matches[face[state], batch[b]]
                    dudo(needed, matches[face[state]], np.float32(-1), out)
                    q = other_strategy[theirs[state] + bids * others + batch[b]]
                    for h in range(hands):
                        out[h] *= q
                for k in range(bids):
                    q = other_strategy[theirs[state] + k * others + batch[b]]
                    if q > 0:
                        add_scaled(out, value[c + k, me, b], q)
        if mine[state] >= 0:
            base[:] = 0
            for b in range(size):
                out = value[state, me, b]
                out[:] = 0
                for k in range(bids):
                    start = mine[state] + k * hands
                    add_product(out, value[c + k, 1 - me, b], strategy[start : start + hands])
                if not root:
                    needed = quantity[state] - other_matches[face[state], batch[b]]
                    dudo(needed, matches[face[state]], np.float32(1), called[b])
                    start = mine[state] + bids * hands
                    add_product(out, called[b], strategy[start : start + hands])
                ways = joint[state, me, b]
                for h in range(hands):
                    if not every_way:
                        ways[h] /= own[state, me, h]
                    ways[h] *= weight[b]
                add_product(base, out, ways)
            for k in range(n):
                start = mine[state] + k * hands
                row = regrets[start : start + hands]
                add_scaled(row, base, np.float32(-1))
                for b in range(size):
                    worth = called[b] if k == bids else value[c + k, 1 - me, b]
                    add_product(row, worth, joint[state, me, b])


@njit(fastmath=True, error_model="numpy")
def add_to_average(me, mine, moves, hands, own, strategy, weight, average):
    """Adds the present strategy to the average, each hand as often as it gets to the state."""
    for state in range(len(mine)):
        if mine[state] >= 0:
            for start in range(mine[state], mine[state] + moves[state] * hands, hands):
                for h in range(hands):
                    average[start + h] += weight * own[state, me, h] * strategy[start + h]


@njit(fastmath=True, error_model="numpy")
def worth(mine, theirs, moves, child, order, quantity, face, matches, other_matches, chance,
          other_chance, strategy, other_strategy):  # fmt: skip
    """What the round is worth to its opener (whose arrays come first) by these strategies."""
    hands, others = matches.shape[1], other_matches.shape[1]
    value = np.zeros((len(order), 2, hands), np.float32)
    called = np.empty(hands, np.float32)
    total = 0.0
    for other in range(others):
        for state in order[::-1]:
            n, c = moves[state], child[state]
            root = state == order[0]
            bids = n if root else n - 1
            needed = quantity[state] - other_matches[face[state], other]
            if theirs[state] >= 0:
                out = value[state, 1]
                dudo(needed, matches[face[state]], np.float32(-1), out)
                q = other_strategy[theirs[state] + bids * others + other]
                for h in range(hands):
                    out[h] *= q
                for k in range(bids):
                    q = other_strategy[theirs[state] + k * others + other]
                    if q > 0:
                        add_scaled(out, value[c + k, 0], q)
            if mine[state] >= 0:
                out = value[state, 0]
                out[:] = 0
                for k in range(bids):
                    start = mine[state] + k * hands
                    add_product(out, value[c + k, 1], strategy[start : start + hands])
                if not root:
                    dudo(needed, matches[face[state]], np.float32(1), called)
                    start = mine[state] + bids * hands
                    add_product(out, called, strategy[start : start + hands])
        for h in range(hands):
            total += other_chance[other] * chance[h] * value[order[0], 0, h]
    return total
