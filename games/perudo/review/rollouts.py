"""A second judge, which knows nothing of the first one's values: it plays rounds out many times.

The hands of the others are drawn by how likely each is with its bids of the round, and everybody
goes on as the expert does, with a slip now and then. Given the bids, hands do not depend on each
other, so that nothing has to be weighed afterwards. Calza out of turn is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from games.perudo.bots import features, network
from games.perudo.bots.expert import temperature
from games.perudo.bots.features import Array, Choice
from games.perudo.review.styles import believed
from games.perudo.rules.bids import DICE_EACH, Bid
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.state import State

PLAYOUTS: Final = 2000  # of each move
NOBODY: Final = -1
SLIP: Final = 0.1  # the share of moves that are any move, as likely as each other


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of what a move was worth in dice, and its standard error."""

    value: float
    error: float


def estimates(
    state: State, seat: int, moves: Sequence[Choice], seed: Sequence[int]
) -> list[Estimate]:
    """What each of these moves is worth to a seat that knows `state` and is to move.

    All are tried on the same hands; the same `seed` gives the same estimates.
    """
    rng = np.random.default_rng(seed)
    hands = _drawn_hands(state, seat, rng)
    by_seat = np.full(state.seats + 1, 1 / (len(state.active) - 1))  # what a loss is worth to me
    by_seat[[seat, NOBODY]] = -1.0, 0.0
    found = []
    for move in moves:
        table = _Table(hands, rng)
        table.play(state, move, np.arange(PLAYOUTS))
        values = by_seat[table.losers]
        if isinstance(move, Calza):
            values = np.where(table.losers == seat, -1.0, float(state.dice[seat] < DICE_EACH))
        error = float(values.std(ddof=1)) / PLAYOUTS**0.5
        found.append(Estimate(float(values.mean()), error))
    return found


def _drawn_hands(state: State, seat: int, rng: np.random.Generator) -> dict[int, Array]:
    """By seat: a hand for every playout, as counts of faces (PLAYOUTS, 7)."""
    found = {}
    for each in state.active:
        if each == seat:
            found[each] = np.repeat(features.counts_of(state.hand(seat)), PLAYOUTS, axis=0)
            continue
        hands, chances = believed(state, each, {})
        found[each] = hands[rng.choice(len(hands), size=PLAYOUTS, p=chances)]
    return found


def _policy(state: State, seat: int, hands: Array) -> tuple[list[Choice], Array]:
    """What a seat does with each of these hands: moves, and their chances (hands, moves)."""
    moves = features.choices_of_any(state, seat)
    values = network.weigh_hands(state, seat, hands, moves)
    liked = (values - values.max(axis=1, keepdims=True)) / temperature(state)
    chances = np.exp(liked)
    chances /= chances.sum(axis=1, keepdims=True)
    return moves, (1 - SLIP) * chances + SLIP / len(moves)


class _Table:
    """Playouts of a round: who loses a die in each; the last place stands for nobody."""

    def __init__(self, hands: dict[int, Array], rng: np.random.Generator) -> None:
        self._hands, self._rng = hands, rng
        self._counts: dict[bool, Array] = {
            palifico: np.sum([features.held_by(each, palifico) for each in hands.values()], axis=0)
            for palifico in (False, True)
        }
        self.losers = np.full(PLAYOUTS, NOBODY)

    def play(self, state: State, move: Choice, which: Array) -> None:
        """Go on from `state`, in these playouts, with this move of the seat to move."""
        if isinstance(move, Bid):
            seat = state.turn
            bids = (*state.bids, (seat, move))
            self._go_on(replace(state, bids=bids, turn=state.left_of(seat)), which)
            return
        bid, bidder = state.last_bid, state.bidder
        assert bid is not None and bidder is not None  # noqa: S101  # nobody could call
        count = self._counts[state.palifico is not None][which, bid.face]
        if isinstance(move, Dudo):
            self.losers[which] = np.where(count >= bid.quantity, state.turn, bidder)
        else:
            self.losers[which] = np.where(count == bid.quantity, NOBODY, state.turn)

    def _go_on(self, state: State, which: Array) -> None:
        if state.turn in state.gone:
            self.play(state, Dudo(), which)
            return
        held, of = np.unique(self._hands[state.turn][which], axis=0, return_inverse=True)
        moves, chances = _policy(state, state.turn, held)
        drawn = self._rng.random(len(which))[:, None]
        chosen = (chances.cumsum(axis=1)[of.ravel()] < drawn).sum(axis=1)
        chosen = np.minimum(chosen, len(moves) - 1)
        for index in np.unique(chosen):
            self.play(state, moves[index], which[chosen == index])
