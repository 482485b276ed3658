"""Odds in arrays, for compiled code: how many of so many dice match a bid.

`wild` is 1 where pacos count, else 0 (P12, P25). Beyond the ends of an array nothing changes.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.perudo.rules.odds import exactly, matches_among

MOST_DICE: Final = 30  # P1, P2
COUNTS: Final = MOST_DICE + 2

Floats = NDArray[np.float32]


def plain() -> tuple[Floats, Floats]:
    """P(at least k) and P(exactly k) of n unknown dice: arrays (wild, n, k), 2 x 31 x 32."""
    exact = np.zeros((2, MOST_DICE + 1, COUNTS))
    for wild in (0, 1):
        for dice in range(MOST_DICE + 1):
            for count in range(dice + 1):
                exact[wild, dice, count] = exactly(count, dice, wild=bool(wild))
    tails = exact[..., ::-1].cumsum(axis=-1)[..., ::-1]
    return tails.astype(np.float32), exact.astype(np.float32)


def informed() -> tuple[Floats, Floats]:
    """The same given bids: arrays (wild, never, once, often, k), as `odds.matches_among` counts."""
    shape = (2, MOST_DICE + 1, MOST_DICE + 1, MOST_DICE + 1, COUNTS)
    tails, exact = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for wild in (0, 1):
        for never in range(MOST_DICE + 1):
            for once in range(MOST_DICE + 1 - never):
                for often in range(MOST_DICE + 1 - never - once):
                    found = matches_among(never, once, often, wild=bool(wild))
                    index = (wild, never, once, often)
                    exact[index][: len(found.chances)] = found.chances
                    tails[index][: len(found.tails)] = found.tails
    return tails, exact
