"""Who plays in the training: the network, and simple players who are not like it."""

from __future__ import annotations

from math import exp
from typing import Any, Final

import numpy as np

from lab.training.compiled import compiled
from lab.training.features import (
    MOST_MOVES,
    OF_MOVE,
    OF_STATE,
    OUTCOMES,
    moves_of,
    of_state,
    possible,
    seats_from,
)
from lab.training.features import _levels as levels
from lab.training.table import (
    AT_FACE,
    AT_PALIFICO,
    AT_QUANTITY,
    AT_TOTAL,
    BID,
    CALZA,
    DUDO,
    SEATS,
    bounds,
    matches,
    may_call,
)

NETWORK, BEGINNER, GREEDY, INFORMED, SHARP, THRESHOLD = range(6)
HIDDEN_1: Final = 64
HIDDEN_2: Final = 32


@compiled
def forward(out, hidden, base, move, mask, weights):
    """The probabilities of the outcomes after a move into `out`; `base` is the state's share."""
    _, in_move, _, w2, b2, w3, b3 = weights
    first, second = hidden
    for j in range(HIDDEN_1):
        first[j] = base[j]
    for i in range(OF_MOVE):
        value = move[i]
        if value != 0.0:
            for j in range(HIDDEN_1):
                first[j] += value * in_move[i, j]
    for j in range(HIDDEN_2):
        second[j] = b2[j]
    for i in range(HIDDEN_1):
        value = first[i]
        if value > 0.0:
            for j in range(HIDDEN_2):
                second[j] += value * w2[i, j]
    most = np.float32(-1e30)
    for k in range(OUTCOMES):
        if mask[k]:
            total = b3[k]
            for j in range(HIDDEN_2):
                if second[j] > 0.0:
                    total += second[j] * w3[j, k]
            out[k] = total
            most = max(most, total)
    scale = np.float32(0.0)
    for k in range(OUTCOMES):
        if mask[k]:
            out[k] = np.exp(out[k] - most)
            scale += out[k]
        else:
            out[k] = 0.0
    for k in range(OUTCOMES):
        out[k] /= scale


@compiled
def base_of(base, s, weights):
    in_state, _, b1, _, _, _, _ = weights
    for j in range(HIDDEN_1):
        base[j] = b1[j]
    for i in range(OF_STATE):
        value = s[i]
        if value != 0.0:
            for j in range(HIDDEN_1):
                base[j] += value * in_state[i, j]


@compiled
def worth(out, n):
    """Outcomes in dice: a die of mine is 1, one of another 1 / (players - 1)."""
    share = 1.0 / (n - 1)
    value = out[SEATS] - out[0]
    for place in range(1, n):
        value += share * (out[place] - out[SEATS + place])
    return value


@compiled
def network_move(scratch, weights, odds, r, dice, hands, times, seat, temperature, slip):
    """The index of the move that the network makes; scratch holds the moves and what it was told.

    It chooses by softmax of the worth in dice; one time in 1 / `slip` any move.
    """
    s, c, moves, order, base, hidden, out, mask, values = scratch
    n = seats_from(r, dice, seat, order)
    of_state(s, odds, r, dice, hands, times, seat, order, n)
    count = moves_of(moves, c, odds, r, dice, hands, times, seat, order, n)
    base_of(base, s, weights)
    best, chosen = -9.0, 0
    for index in range(count):
        possible(mask, moves[index, 0], r, dice, order, n)
        forward(out, hidden, base, c[index], mask, weights)
        values[index] = worth(out, n)
        if values[index] > best:
            best, chosen = values[index], index
    if slip > 0.0 and np.random.random() < slip:
        chosen = np.random.randint(count)
    elif temperature > 0.0:
        total = 0.0
        for index in range(count):
            total += exp((values[index] - best) / temperature)
        drawn = np.random.random() * total
        for index in range(count):
            drawn -= exp((values[index] - best) / temperature)
            if drawn <= 0.0:
                chosen = index
                break
    possible(mask, moves[chosen, 0], r, dice, order, n)
    return chosen


def scratch() -> tuple[Any, ...]:
    """The arrays that `network_move` works in."""
    return (
        np.zeros(OF_STATE, np.float32),
        np.zeros((MOST_MOVES, OF_MOVE), np.float32),
        np.zeros((MOST_MOVES, 3), np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(HIDDEN_1, np.float32),
        (np.zeros(HIDDEN_1, np.float32), np.zeros(HIDDEN_2, np.float32)),
        np.zeros(OUTCOMES, np.float32),
        np.zeros(OUTCOMES, np.uint8),
        np.zeros(MOST_MOVES, np.float64),
    )


# --- the others -----------------------------------------------------------------------------------


@compiled
def _own_tail(odds, r, dice, hands, seat, quantity, face):
    wild = 1 if face != 1 and not r[AT_PALIFICO] else 0
    needed = quantity - matches(hands, seat, face, r[AT_PALIFICO])
    unknown = r[AT_TOTAL] - dice[seat]
    exact = odds[1][wild, unknown, min(needed, 31)] if needed >= 0 else np.float32(0.0)
    return odds[0][wild, unknown, min(max(needed, 0), 31)], exact


@compiled
def _informed(odds, r, dice, hands, times, seat, order, n, quantity, face):
    wild = 1 if face != 1 and not r[AT_PALIFICO] else 0
    needed = quantity - matches(hands, seat, face, r[AT_PALIFICO])
    never, once, often = levels(dice, times, order, n, face)
    exact = odds[3][wild, never, once, often, min(needed, 31)] if needed >= 0 else np.float32(0.0)
    return odds[2][wild, never, once, often, min(max(needed, 0), 31)], exact


@compiled
def wants_calza(kind, odds, r, dice, hands, times, seat, order, n):
    """Whether a simple player calls calza on the last bid, which it may."""
    if dice[seat] == 5:
        return False
    _, exact = _own_tail(odds, r, dice, hands, seat, r[AT_QUANTITY], r[AT_FACE])
    if kind == BEGINNER:
        return exact >= 0.3 and np.random.randint(4) == 0
    if kind in (INFORMED, SHARP):
        _, exact = _informed(
            odds, r, dice, hands, times, seat, order, n, r[AT_QUANTITY], r[AT_FACE]
        )
    return 2.0 * exact - 1.0 > 0.1


@compiled
def _sharp_bid(odds, r, dice, hands, times, seat, order, n, quantity, face):
    """A bid as `games.perudo.bots.sharp` weighs it, in dice; and how likely it looks to it."""
    tails, exact, tails_by, exact_by = odds
    wild = 1 if face != 1 and not r[AT_PALIFICO] else 0
    stake = 1.0 / (n - 1)
    follower = order[1]
    never, once, often = levels(dice, times, order, n, face)
    bids = times[follower, face]
    theirs = dice[follower]
    rest_0 = never - theirs if bids == 0 else never
    rest_1 = once - theirs if bids == 1 else once
    rest_2 = often - theirs if bids > 1 else often
    needed = quantity - matches(hands, seat, face, r[AT_PALIFICO])
    unknown = r[AT_TOTAL] - dice[seat]
    grown = needed + round(0.35 * (n - 1))
    returned = tails[wild, unknown, min(max(grown, 0), 31)]
    escaped = 0.8 * stake - 0.5 * returned
    value = 0.0
    for has in range(theirs + 1):
        if bids == 0:
            share = exact_by[wild, theirs, 0, 0, has]
        elif bids == 1:
            share = exact_by[wild, 0, theirs, 0, has]
        else:
            share = exact_by[wild, 0, 0, theirs, has]
        seen = tails[wild, r[AT_TOTAL] - theirs, min(max(quantity - has, 0), 31)]
        doubt = 1.0 / (1.0 + exp((seen - 0.36) / 0.1))
        true = tails_by[wild, rest_0, rest_1, rest_2, min(max(needed - has, 0), 31)]
        value += share * (doubt * (true * stake - (1.0 - true)) + (1.0 - doubt) * escaped)
    return value, tails[wild, unknown, min(max(needed, 0), 31)]


@compiled
def any_bid(r, move):
    """Fill `move` with a bid that tells nothing; an absurd one as likely as another."""
    face = np.random.randint(1, 7)
    least, most = bounds(r, face)
    if least <= most:
        move[0], move[1], move[2] = BID, np.random.randint(least, min(most, least + 9) + 1), face


@compiled
def simple_move(kind, threshold, odds, r, dice, hands, times, seat, order, n, move):
    """Fill `move` (kind, quantity, face) with what a simple player does on its turn."""
    quantity, last = r[AT_QUANTITY], r[AT_FACE]
    can_call = may_call(r, dice, seat)
    if (
        kind != SHARP
        and can_call
        and wants_calza(kind, odds, r, dice, hands, times, seat, order, n)
    ):
        move[0] = CALZA
        return
    true = np.float32(1.0)
    if quantity > 0:
        true, _ = _own_tail(odds, r, dice, hands, seat, quantity, last)
        if kind in (INFORMED, SHARP):
            true, called = _informed(odds, r, dice, hands, times, seat, order, n, quantity, last)
        if kind == THRESHOLD and true < threshold:
            move[0] = DUDO
            return
        if kind == BEGINNER and true < 0.5 and np.random.randint(4) == 0:
            move[0] = DUDO
            return
    best, found = -9.0, 0
    move[0] = BID
    for face in range(1, 7):
        least, most = bounds(r, face)
        if most < least:
            continue
        if kind == SHARP:
            most = min(most, least + 8)
        elif kind == BEGINNER:
            most = min(most, least + 1)
        else:
            most = least
        for number in range(least, most + 1):
            if kind == SHARP:
                value, likely = _sharp_bid(
                    odds, r, dice, hands, times, seat, order, n, number, face
                )
            elif kind == INFORMED:
                value, likely = _informed(odds, r, dice, hands, times, seat, order, n, number, face)
                likely = value
            else:
                value, likely = _own_tail(odds, r, dice, hands, seat, number, face)
                likely = value
            if kind == BEGINNER:
                if likely < 0.25:
                    continue
                value = np.float32(np.random.random())
            else:
                value += 0.02 * np.random.random() if kind == SHARP else 1e-7 * np.random.random()
            if value > best:
                best, found = value, 1
                move[1], move[2] = number, face
            if kind == SHARP and likely < 0.05:
                break
    if quantity == 0:
        if not found:  # a beginner who believes in nothing bids one of something
            move[1], move[2] = 1, 2 + np.random.randint(5)
        return
    if not found:
        move[0] = DUDO
    elif kind == SHARP:
        stake = 1.0 / (n - 1)
        if (1.0 - true) * stake - true > best:
            best, move[0] = (1.0 - true) * stake - true, DUDO
        if can_call and dice[seat] < 5 and 2.0 * called - 1.0 > best:
            move[0] = CALZA
    elif kind in (GREEDY, INFORMED) and 1.0 - true > best:
        move[0] = DUDO
