"""What the network is told of a position and of a move, in compiled code.

`games.perudo.bots.features` computes the same from a state; a test holds one against the other.
"""

from __future__ import annotations

from typing import Final

from lab.training.compiled import compiled
from lab.training.table import (
    AT_ACTIVE,
    AT_ANY_FACE,
    AT_BIDDER,
    AT_BIDS,
    AT_CALZA,
    AT_FACE,
    AT_OPENER,
    AT_PALIFICO,
    AT_QUANTITY,
    AT_SEATS,
    AT_TOTAL,
    AT_TURN,
    AT_WHO,
    BID,
    CALZA,
    DUDO,
    PASS,
    SEATS,
    bounds,
    matches,
    may_call,
)

OF_STATE: Final = 57
OF_MOVE: Final = 26
OUTCOMES: Final = 13  # who loses a die, by place from the mover; who regains one; nobody
MOST_MOVES: Final = 200
HOPELESS: Final = 0.02  # bids above the smallest on a face that look less likely are not weighed
DOUBTS: Final = (0.3, 0.45)  # the next player may doubt a bid that looks less likely to them


@compiled
def seats_from(r, dice, seat, order):
    """Fill `order` with the seats that have dice, clockwise from one; returns how many."""
    count = 0
    for step in range(r[AT_SEATS]):
        other = (seat + step) % r[AT_SEATS]
        if dice[other] > 0:
            order[count] = other
            count += 1
    return count


@compiled
def _surprise(needed, unknown, chance):
    """How far the number needed is above what is to be expected, in a third of deviations."""
    far = (needed - unknown * chance) / (3.0 * (unknown * chance * (1.0 - chance) + 0.3) ** 0.5)
    return min(max(far, -2.0), 2.0)


@compiled
def _levels(dice, times, order, n, face):
    """The dice of the others by how often they bid a face: never, once, more often."""
    never = once = often = 0
    for place in range(1, n):
        bids = times[order[place], face]
        if bids == 0:
            never += dice[order[place]]
        elif bids == 1:
            once += dice[order[place]]
        else:
            often += dice[order[place]]
    return never, once, often


@compiled
def of_state(s, odds, r, dice, hands, times, seat, order, n):
    """Fill `s` with what the seat knows, apart from its moves."""
    tails, exact, tails_by, exact_by = odds
    s[:] = 0.0
    own, total = dice[seat], r[AT_TOTAL]
    palifico, quantity, last = r[AT_PALIFICO], r[AT_QUANTITY], r[AT_FACE]
    for face in range(1, 7):
        s[face - 1] = hands[seat, face] / 5.0
    s[4 + r[AT_ACTIVE]] = 1.0
    s[11] = own / 5.0
    s[12] = 1.0 if own == 1 else 0.0
    for place in range(1, n):
        s[12 + place] = dice[order[place]] / 5.0
    s[18] = total / 30.0
    s[19] = palifico
    s[20] = 1.0 if palifico and r[AT_OPENER] == seat else 0.0
    if quantity > 0:
        wild = 1 if last != 1 and not palifico else 0
        raw = quantity - matches(hands, seat, last, palifico)
        needed, unknown = max(raw, 0), total - own
        never, once, often = _levels(dice, times, order, n, last)
        k, public = min(needed, 31), min(quantity, 31)
        s[21] = 1.0
        s[22] = min(quantity / total, 1.5)
        s[23] = 1.0 if last == 1 else 0.0
        s[24] = last / 6.0
        s[25] = tails[wild, unknown, k]
        s[26] = exact[wild, unknown, k] if raw >= 0 else 0.0
        s[27] = tails_by[wild, never, once, often, k]
        s[28] = exact_by[wild, never, once, often, k] if raw >= 0 else 0.0
        s[29] = tails[wild, total, public]
        s[30] = _surprise(raw, unknown, 1.0 / 3.0 if wild else 1.0 / 6.0)
        for place in range(1, n):
            s[30 + place] = min(times[order[place], last], 2) / 2.0
            if order[place] == r[AT_BIDDER]:
                s[43 + place] = 1.0
            if order[place] == r[AT_TURN]:
                s[49] = place / 5.0
        s[36] = min(times[seat, last], 2) / 2.0
    s[37] = min(r[AT_BIDS], 12) / 12.0
    s[38] = r[AT_CALZA]
    s[39] = 1.0 if may_call(r, dice, seat) else 0.0
    s[40] = 1.0 if own < 5 else 0.0
    s[41] = 1.0 if r[AT_CALZA] and r[AT_WHO] != 2 else 0.0
    s[42] = 1.0 if r[AT_TURN] == seat else 0.0
    s[43] = r[AT_ANY_FACE]
    best = 0
    for face in range(1, 7):
        weighed = 0.0
        for place in range(1, n):
            weighed += dice[order[place]] * min(times[order[place], face], 2)
        s[49 + face] = weighed / 20.0
        if face > 1:
            best = max(best, matches(hands, seat, face, palifico))
    s[56] = best / 5.0


@compiled
def of_bid(c, odds, r, dice, hands, times, seat, order, n, quantity, face, least):
    """Fill `c` with a bid as this seat sees it; `least` is the smallest that it may bid there."""
    tails, exact, tails_by, _ = odds
    c[:] = 0.0
    own, total, palifico = dice[seat], r[AT_TOTAL], r[AT_PALIFICO]
    wild = 1 if face != 1 and not palifico else 0
    held = matches(hands, seat, face, palifico)
    unknown, raw = total - own, quantity - held
    needed = max(raw, 0)
    never, once, often = _levels(dice, times, order, n, face)
    c[BID] = 1.0
    c[4] = min(quantity / total, 1.5)
    c[5] = 1.0 if face == 1 else 0.0
    c[6] = face / 6.0
    c[7] = held / 5.0
    c[8] = hands[seat, face] / 5.0
    c[9] = tails[wild, unknown, min(needed, 31)]
    c[10] = exact[wild, unknown, min(needed, 31)] if raw >= 0 else 0.0
    c[11] = tails_by[wild, never, once, often, min(needed, 31)]
    c[12] = tails[wild, total, min(quantity, 31)]
    c[13] = _surprise(raw, unknown, 1.0 / 3.0 if wild else 1.0 / 6.0)
    follower = order[1]
    theirs = dice[follower]
    for has in range(theirs + 1):
        share = exact[wild, theirs, has]
        seen = tails[wild, total - theirs, min(max(quantity - has, 0), 31)]
        false = 1.0 - tails[wild, unknown - theirs, min(max(raw - has, 0), 31)]
        for which in range(2):
            if seen < DOUBTS[which]:
                c[14 + 2 * which] += share
                c[15 + 2 * which] += share * false
    c[18] = min(times[follower, face], 2) / 2.0
    c[19] = min(times[seat, face], 2) / 2.0
    weighed = 0.0
    for place in range(1, n):
        weighed += dice[order[place]] * min(times[order[place], face], 2)
    c[20] = weighed / 20.0
    c[21] = 1.0 if quantity == least else 0.0
    c[22] = min((quantity - least) / 5.0, 1.0)
    c[23] = 1.0 if face == r[AT_FACE] else 0.0
    c[24] = (5 * r[AT_SEATS] - quantity) / 30.0
    c[25] = tails[wild, unknown, min(max(raw + 1, 0), 31)]


@compiled
def moves_of(moves, c, odds, r, dice, hands, times, seat, order, n):
    """Fill `moves` (kind, quantity, face) and `c` with what the seat weighs; returns how many."""
    tails = odds[0]
    count = 0
    if r[AT_TURN] != seat:
        for kind in (CALZA, PASS):
            moves[count, 0], moves[count, 1], moves[count, 2] = kind, 0, 0
            c[count, :] = 0.0
            c[count, kind] = 1.0
            count += 1
        return count
    if r[AT_QUANTITY] > 0:
        moves[count, 0], moves[count, 1], moves[count, 2] = DUDO, 0, 0
        c[count, :] = 0.0
        c[count, DUDO] = 1.0
        count += 1
        if may_call(r, dice, seat):
            moves[count, 0], moves[count, 1], moves[count, 2] = CALZA, 0, 0
            c[count, :] = 0.0
            c[count, CALZA] = 1.0
            count += 1
    palifico, unknown = r[AT_PALIFICO], r[AT_TOTAL] - dice[seat]
    for face in range(1, 7):
        least, most = bounds(r, face)
        wild = 1 if face != 1 and not palifico else 0
        held = matches(hands, seat, face, palifico)
        for quantity in range(least, most + 1):
            likely = tails[wild, unknown, min(max(quantity - held, 0), 31)]
            if quantity > least and likely < HOPELESS:
                break
            moves[count, 0], moves[count, 1], moves[count, 2] = BID, quantity, face
            of_bid(c[count], odds, r, dice, hands, times, seat, order, n, quantity, face, least)
            count += 1
    return count


@compiled
def possible(mask, kind, r, dice, order, n):
    """Fill `mask` with the outcomes of the round that may follow a move: see OUTCOMES."""
    mask[:] = 0
    own, calza = dice[order[0]], r[AT_CALZA]
    if kind in (DUDO, CALZA):
        mask[0] = 1
        if kind == DUDO:
            for place in range(1, n):
                mask[place] = 1 if order[place] == r[AT_BIDDER] else 0
        elif own < 5:
            mask[SEATS] = 1
        else:
            mask[2 * SEATS] = 1
        return
    for place in range(n):
        mask[place] = 1
        mask[SEATS + place] = calza if dice[order[place]] < 5 else 0
    mask[2 * SEATS] = calza
