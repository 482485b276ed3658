"""The exact best reply to the bots' tables for two players left, over all courses of a round.

It knows the rules and asks the bots for their moves; how tables are made or stored plays no part.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import numpy.typing as npt

from games.perudo.bots.two_left import strategy
from games.perudo.rules.bids import FACES, Bid, legal_bids, matching
from games.perudo.rules.moves import Dudo, Move
from games.perudo.rules.options import Options
from games.perudo.rules.state import State

Floats = npt.NDArray[np.float64]
Hand = tuple[int, ...]
Course = tuple[Bid, ...]

OPTIONS = Options()
MOST = 10  # what may be bid at a table of two


def hands(dice: int) -> dict[Hand, float]:
    """Every hand of so many dice, sorted, and its probability."""
    rolls = [tuple(sorted(roll)) for roll in product(FACES, repeat=dice)]
    return {
        hand: rolls.count(hand) / len(rolls) for hand in combinations_with_replacement(FACES, dice)
    }


def known(dice: tuple[int, int], palifico: bool, course: Course, hand: Hand) -> State:
    """A round that seat 0 opened, as the seat to move knows it."""
    turn = len(course) % 2
    return State(
        options=OPTIONS,
        seats=2,
        phase="turn",
        dice=dice,
        hands=(hand, None) if turn == 0 else (None, hand),
        number=1,
        turn=turn,
        palifico=0 if palifico else None,
        bids=tuple((at % 2, bid) for at, bid in enumerate(course)),
    )


class BestReply:
    """What seat `me` can gain in a round against the bots' table, hand by hand."""

    def __init__(self, dice: tuple[int, int], palifico: bool, me: int) -> None:
        self.dice, self.palifico, self.me = dice, palifico, me
        self.mine, self.theirs = list(hands(dice[me])), list(hands(dice[1 - me]))
        self.chance = np.array([*hands(dice[me]).values()])
        self.other_chance = np.array([*hands(dice[1 - me]).values()])
        self._answers: dict[Course, Mapping[Move, Floats]] = {}
        self._true = cache(self._true_of)

    def gain(self) -> float:
        """The mean over all hands of both, in [-1, 1]."""
        return float(self._value((), self.other_chance) @ self.chance)

    def _value(self, course: Course, reach: Floats) -> Floats:
        """By my hands, what is still to be won; `reach` is how likely each of theirs got here."""
        if not reach.any():
            return np.zeros(len(self.mine))
        if len(course) % 2 != self.me:
            return sum(
                self._dudo(course[-1], reach * share, sign=-1)
                if isinstance(move, Dudo)
                else self._value((*course, move), reach * share)
                for move, share in self._answer(course).items()
            )
        last = course[-1] if course else None
        bids = legal_bids(last, options=OPTIONS, palifico=self.palifico, most=MOST)
        worth = [self._value((*course, bid), reach) for bid in bids]
        if last:
            worth.append(self._dudo(last, reach, sign=1))
        return np.max(worth, axis=0)

    def _dudo(self, bid: Bid, reach: Floats, *, sign: int) -> Floats:
        """What dudo is worth to me by my hands: `sign` 1 where I call it."""
        return sign * ((1 - 2 * self._true(bid)) @ reach)

    def _true_of(self, bid: Bid) -> Floats:
        count = [
            [matching(mine + theirs, bid.face, palifico=self.palifico) for theirs in self.theirs]
            for mine in self.mine
        ]
        return (np.array(count) >= bid.quantity).astype(float)

    def _answer(self, course: Course) -> Mapping[Move, Floats]:
        """The table's moves and how likely each hand makes them. It goes by the last two bids."""
        key = course[-2:]
        if key not in self._answers:
            answers: dict[Move, Floats] = {}
            for at, hand in enumerate(self.theirs):
                state = known(self.dice, self.palifico, course, hand)
                for move, share in strategy(state, state.turn):
                    answers.setdefault(move, np.zeros(len(self.theirs)))[at] = share
            self._answers[key] = answers
        return self._answers[key]


def exploitability(opener: int, other: int, *, palifico: bool = False) -> float:
    """Half of what both best replies gain together: 0 for an equilibrium, a round worth ±1."""
    replies = [BestReply((opener, other), palifico, me) for me in (0, 1)]
    return sum(reply.gain() for reply in replies) / 2
