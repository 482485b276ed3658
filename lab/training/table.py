"""A table of Perudo in arrays, for compiled code: the rules of `games.perudo.rules` once more.

`dice[seat]` are the dice left, `hands[seat, face]` the dice rolled, `times[seat, face]` how often a
seat has bid a face in this round. `r` holds the other numbers of the table, at the places below.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lab.training.compiled import compiled

SEATS: Final = 6
FACES: Final = 7  # places of faces; 0 stays empty

(
    AT_SEATS,
    AT_TOTAL,
    AT_ACTIVE,
    AT_PALIFICO,
    AT_QUANTITY,
    AT_FACE,
    AT_BIDDER,
    AT_BIDS,
    AT_TURN,
    AT_OPENER,
    AT_CALZA,
    AT_WHO,
    AT_IN_PALIFICO,
    AT_CALZA_PLAYERS,
    AT_NEEDS_LOST,
    AT_ANY_FACE,
    AT_PACO_OPENING,
    AT_ONCE,
    AT_PALIFICO_PLAYERS,
    NUMBERS,
) = range(20)

# How a move is written: its kind, and quantity and face of a bid.
DUDO, CALZA, PASS, BID = 0, 1, 2, 3


def empty() -> tuple[Any, Any, Any, Any]:
    """`dice`, `hands`, `times`, `r` of a table where nothing has happened."""
    return (
        np.zeros(SEATS, np.int64),
        np.zeros((SEATS, FACES), np.int64),
        np.zeros((SEATS, FACES), np.int64),
        np.zeros(NUMBERS, np.int64),
    )


@compiled
def bounds(r, face):
    """The smallest and largest number that may be bid on a face; (1, 0) where none may."""
    most = 5 * r[AT_SEATS]
    quantity, last = r[AT_QUANTITY], r[AT_FACE]
    if quantity == 0:
        if face == 1 and not (r[AT_PALIFICO] and r[AT_PACO_OPENING]):
            return 1, 0
        return 1, most
    if face == last:
        return quantity + 1, most
    if r[AT_PALIFICO]:
        return 1, 0
    if face == 1:
        return (quantity + 1) // 2, most
    if last == 1:
        return 2 * quantity + 1, most
    if r[AT_ANY_FACE]:
        return (quantity if face > last else quantity + 1), most
    if face > last:
        return quantity, min(quantity, most)
    return 1, 0


@compiled
def may_call(r, dice, seat):
    """Whether a seat may call calza on the last bid (P33 to P42)."""
    if not r[AT_CALZA] or r[AT_QUANTITY] == 0 or dice[seat] == 0 or seat == r[AT_BIDDER]:
        return False
    if r[AT_WHO] == 2 and seat != r[AT_TURN]:
        return False
    if r[AT_WHO] == 1 and seat == r[AT_TURN]:
        return False
    if r[AT_PALIFICO] and not r[AT_IN_PALIFICO]:
        return False
    if r[AT_ACTIVE] < r[AT_CALZA_PLAYERS]:
        return False
    return not (r[AT_NEEDS_LOST] and dice[seat] == 5)


@compiled
def left_of(r, dice, seat):
    """The next seat with dice (P3)."""
    for step in range(1, r[AT_SEATS] + 1):
        other = (seat + step) % r[AT_SEATS]
        if dice[other] > 0:
            return other
    return seat


@compiled
def matches(hands, seat, face, palifico):
    """How many dice of a seat count for a bid on a face (P12)."""
    if face == 1 or palifico:
        return hands[seat, face]
    return hands[seat, face] + hands[seat, 1]


@compiled
def deal(r, dice, hands, times, opener, palifico):
    """A new round: every seat rolls."""
    total = active = 0
    for seat in range(SEATS):
        for face in range(FACES):
            hands[seat, face] = 0
            times[seat, face] = 0
        if dice[seat] > 0:
            active += 1
            total += dice[seat]
            for _ in range(dice[seat]):
                hands[seat, 1 + np.random.randint(6)] += 1
    r[AT_TOTAL], r[AT_ACTIVE], r[AT_PALIFICO] = total, active, palifico
    r[AT_QUANTITY] = r[AT_FACE] = r[AT_BIDS] = 0
    r[AT_BIDDER] = -1
    r[AT_TURN] = r[AT_OPENER] = opener


@compiled
def bid(r, dice, times, quantity, face):
    """The seat on turn bids."""
    seat = r[AT_TURN]
    r[AT_QUANTITY], r[AT_FACE], r[AT_BIDDER] = quantity, face, seat
    times[seat, face] += 1
    r[AT_BIDS] += 1
    r[AT_TURN] = left_of(r, dice, seat)
