"""What the bids of a round tell of the dice of those who made them.

Each hand that a bidder could hold is weighed by how likely its bids are with it, in a mixture of
styles. Given the bids, hands do not depend on each other. Only public facts are read, and the dice
of the seat that asks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from typing import Final, Literal

import numpy as np

from games.perudo.bots import features, network
from games.perudo.bots.features import Array, Choice, held_by
from games.perudo.rules.bids import FACES, PACO, Bid, matching
from games.perudo.rules.moves import Dudo
from games.perudo.rules.state import State

FILE: Final = Path(__file__).with_name("styles.json")
SLIP: Final = 0.02  # the share of any moves
_KEPT: Final = 256  # bids: those of a long round


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody chooses a move: by what it is worth, or `by` the odds of their own dice alone.

    A move that is `heat` worse, in dice or in chances to be true, is chosen e times less often.
    `bluff` is the share of moves that are chosen as if with other dice.
    """

    by: Literal["worth", "odds"]
    heat: float
    bluff: float = 0.0


STYLES: Final = (
    *(Style("worth", heat, bluff) for heat in (0.02, 0.04, 0.08, 0.16) for bluff in (0.0, 0.25)),
    *(Style("odds", heat, bluff) for heat in (0.03, 0.1, 0.3) for bluff in (0.0, 0.25)),
)
Mixture = Mapping[Style, float]  # the share of each style; they add up to 1
Bidders = Mapping[int, Mixture]  # by seat; the others bid as our bots do


@cache
def of_bots() -> Mixture:
    """The styles of our bots, of all strengths: see the "command" of the file."""
    return mixture(json.loads(FILE.read_text())["shares"])


def mixture(shares: Sequence[float]) -> Mixture:
    """The shares of `STYLES` as a mixture, without those that nobody has."""
    return {style: share for style, share in zip(STYLES, shares, strict=True) if share}


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What a seat believes of a bid: for each number of dice that meet it, how likely that is."""

    held: int  # by the seat itself
    others: Array  # (dice of others + 1,)

    def true(self, bid: Bid) -> float:
        """How likely the bid is true; exactly 0 or 1 where the seat's own dice settle it."""
        needed = bid.quantity - self.held
        if needed <= 0:
            return 1.0
        return min(1.0, float(self.others[needed:].sum()))

    def exact(self, bid: Bid) -> float:
        needed = bid.quantity - self.held
        return float(self.others[needed]) if 0 <= needed < len(self.others) else 0.0


def expected(state: State, seat: int, bidders: Bidders) -> dict[int, Expected]:
    """By face: what a seat that knows `state` believes, by its own dice and the bids so far."""
    palifico = state.palifico is not None
    hands = [
        (held_by(all_hands, palifico), chances)
        for other in state.active
        if other != seat
        for all_hands, chances in [believed(state, other, bidders)]
    ]
    unknown = sum(state.dice) - state.dice[seat]
    found = {}
    for face in FACES:
        others = np.ones(1)
        for held, chances in hands:
            others = np.convolve(others, np.bincount(held[:, face], weights=chances))
        own = matching(state.hand(seat), face, palifico=palifico)
        found[face] = Expected(own, np.pad(others, (0, unknown + 1 - len(others))))
    return found


def believed(state: State, bidder: int, bidders: Bidders) -> tuple[Array, Array]:
    """The hands that a seat could hold (hands, 7), and how likely each is after its bids."""
    hands, weights = all_rolls(state.dice[bidder])
    styles = bidders.get(bidder) or of_bots()
    shares = np.array(list(styles.values()))
    chances = weights * (shares @ likelihoods(state, bidder, tuple(styles)))
    return hands, chances / chances.sum()


def likelihoods(state: State, bidder: int, styles: tuple[Style, ...]) -> Array:
    """How likely each style makes the bids of a seat with each hand: an array (styles, hands)."""
    hands, _ = all_rolls(state.dice[bidder])
    found = np.ones((len(styles), len(hands)))
    sealed = replace(state, hands=(None,) * state.seats, claims=(), phase="turn")
    for number, (seat, bid) in enumerate(state.bids):
        if seat == bidder:
            then = replace(sealed, bids=state.bids[:number], turn=seat)
            found *= _of_a_bid(then, bid, styles)
    return found


@lru_cache(_KEPT)
def _of_a_bid(state: State, made: Bid, styles: tuple[Style, ...]) -> Array:
    """How likely each style makes this bid on turn with each hand: an array (styles, hands)."""
    seat = state.turn
    moves = features.choices_of_any(state, seat)
    if made not in moves:
        moves.append(made)
    hands, chances = all_rolls(state.dice[seat])
    values = {
        "worth": network.weigh_hands(state, seat, hands, moves),
        "odds": _plain_odds(state, hands, moves),
    }
    place = moves.index(made)
    shares: dict[tuple[str, float], Array] = {}  # styles differ in how much they bluff, too
    found = []
    for style in styles:
        own = shares.get((style.by, style.heat))
        if own is None:
            own = shares[style.by, style.heat] = _share(values[style.by], place, style.heat)
        meant = (1 - style.bluff) * own + style.bluff * float(chances @ own)
        found.append((1 - SLIP) * meant + SLIP / len(moves))
    return np.array(found)


def _share(values: Array, place: int, heat: float) -> Array:
    """How often the move at this place is chosen with each hand, by the values of all moves."""
    liked = np.exp((values - values.max(axis=1, keepdims=True)) / heat)
    return np.asarray(liked[:, place] / liked.sum(axis=1))


def _plain_odds(state: State, hands: Array, moves: Sequence[Choice]) -> Array:
    """How likely moves are right by each hand alone: an array (hands, moves)."""
    palifico = state.palifico is not None
    bids = [move if isinstance(move, Bid) else state.last_bid for move in moves]
    quantities, faces = np.array([(bid.quantity, bid.face) for bid in bids if bid is not None]).T
    wild = ((faces != PACO) & (not palifico)).astype(np.int64)
    unknown = sum(state.dice) - state.dice[state.turn]
    needed = features.ZERO + quantities - held_by(hands, palifico)[:, faces]
    found, exact = (table[wild, unknown, needed] for table in features.plain_odds())
    for number, move in enumerate(moves):
        if isinstance(move, Dudo):
            found[:, number] = 1 - found[:, number]
        elif not isinstance(move, Bid):
            found[:, number] = exact[:, number]
    return np.asarray(found)


@cache
def all_rolls(dice: int) -> tuple[Array, Array]:
    hands = list(combinations_with_replacement(FACES, dice))
    counts = np.array([[hand.count(face) for face in range(7)] for hand in hands])
    weights = np.array([factorial(dice) / prod(map(factorial, row)) / 6**dice for row in counts])
    return counts, weights
