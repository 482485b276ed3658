"""The public side of a round between two players: bids, what follows what, and the hands.

A *state* is the last two bids, which is an arrow between bids, and who is to move. Every arrow
leads to a higher bid, so the states form a graph without circles. Bids beyond the dice in play are
never true and left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Final

import numpy as np
import numpy.typing as npt

from games.perudo.rules.bids import FACES, PACO, Bid, legal_bids
from games.perudo.rules.options import Options

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

ROOT: Final = 0  # stands for no bid yet
PRINTED: Final = Options()


@dataclass(frozen=True, slots=True, order=True)
class Round:
    """A round between two: the dice of who opens, of the other, and whether it is palifico."""

    opener: int
    other: int
    palifico: bool = False

    def __str__(self) -> str:
        return f"{self.opener}v{self.other}{'p' if self.palifico else ''}"

    @property
    def dice(self) -> tuple[int, int]:
        return self.opener, self.other

    @property
    def total(self) -> int:
        return self.opener + self.other


ROUNDS: Final = (
    *(Round(opener, other) for opener, other in product(range(1, 6), repeat=2)),
    *(Round(1, other, palifico=True) for other in range(1, 6)),
)


@dataclass(frozen=True)
class Graph:
    """The bids of a round and the arrows between them.

    `bids[i]` is bid number i in ascending order; number 0 is no bid. Arrow e goes to bid
    `target[e]`; those from bid i are `first[i]` to `first[i + 1]`, so the moves over bid i are
    these arrows and, last, dudo. `reached[m, e]` says whether player m (0 opened) can be to move
    after arrow e; the state before the first bid is arrow number `arrows`.
    """

    bids: tuple[Bid | None, ...]
    number: dict[Bid | None, int]
    first: Ints
    source: Ints
    target: Ints
    reached: npt.NDArray[np.bool_]

    @property
    def arrows(self) -> int:
        return len(self.target)

    def arrow(self, previous: Bid | None, last: Bid | None) -> int:
        """The arrow from one bid to the next; KeyError where none leads there."""
        if last is None:
            return self.arrows
        start, end = self.first[self.number[previous]], self.first[self.number[previous] + 1]
        at = int(start + np.searchsorted(self.target[start:end], self.number[last]))
        if at == end or self.target[at] != self.number[last]:
            raise KeyError(last)
        return at


@cache
def graph(total: int, palifico: bool) -> Graph:
    """The graph of a round with so many dice in play, by the rules as printed."""

    def after(bid: Bid | None) -> tuple[Bid, ...]:
        return legal_bids(bid, options=PRINTED, palifico=palifico, most=total)

    every = sorted((Bid(n, face) for n in range(1, total + 1) for face in FACES), key=height)
    bids: tuple[Bid | None, ...] = (None, *every)
    number = {bid: at for at, bid in enumerate(bids)}
    rows = [sorted(number[bid] for bid in after(last)) for last in bids]
    first = np.cumsum([0, *map(len, rows)])
    source = np.repeat(np.arange(len(bids)), [len(row) for row in rows])
    target = np.array([to for row in rows for to in row])
    reached = np.zeros((2, len(target) + 1), bool)
    reached[0, -1] = True
    for at in range(len(target)):
        before = np.flatnonzero(target == source[at]) if source[at] else [len(target)]
        reached[:, at] = reached[::-1, before].any(axis=1)
    return Graph(bids, number, first, source, target, reached)


def height(bid: Bid) -> tuple[int, int]:
    """What sorts bids so that every raise is later: a paco bid counts double (P14, P16)."""
    return (2 * bid.quantity, 7) if bid.face == PACO else (bid.quantity, bid.face)


@dataclass(frozen=True)
class Hands:
    """Every hand of so many dice: sorted dice, their probability, and matches by face.

    `matches[face, hand]` counts the dice for a bid on that face; row 0 is not used.
    """

    hands: tuple[tuple[int, ...], ...]
    number: dict[tuple[int, ...], int]
    chance: Floats
    matches: Ints

    def __len__(self) -> int:
        return len(self.hands)


@cache
def hands(dice: int, palifico: bool) -> Hands:
    """The hands of a player with so many dice, in order."""
    every = tuple(combinations_with_replacement(FACES, dice))
    counts = np.array([[hand.count(face) for hand in every] for face in range(7)])
    matches = counts.copy()
    if not palifico:
        matches[2:] += counts[PACO]
    chance = np.array([_orders(hand) for hand in every]) / 6.0**dice
    return Hands(every, {hand: at for at, hand in enumerate(every)}, chance, matches)


def _orders(hand: Sequence[int]) -> int:
    return factorial(len(hand)) // prod(factorial(n) for n in Counter(hand).values())
