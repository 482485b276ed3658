"""The expert: weighs every move by a network that has played millions of rounds.

It chooses by chance among moves of nearly the same worth, so that its bids do not tell its dice.
With two players left it plays tables that nobody can exploit by much.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from games.core.contract import Chance
from games.perudo.bots import features, network, two_left
from games.perudo.bots.answer import answer, own_odds
from games.perudo.rules.moves import Calza, Move
from games.perudo.rules.state import State

TEMPERATURE: Final = 0.02  # in dice: a move so much worse is chosen e times less often
OPENING_TEMPERATURE: Final = 0.04  # the first bid of a round is read most
WEIGHED_AT: Final = 0.25  # out of turn, calza is weighed where exact is so likely
_FINE: Final = 1 << 30


def expert(state: State, seat: int, chance: Chance) -> Move | None:
    """Chooses by a softmax of what its network says each move is worth."""
    return answer(state, seat, chance, on_turn=_turn, interrupt=calls_calza)


def strongest(state: State, seat: int, chance: Chance) -> Move | None:
    """The network alone and without chance, for measuring: always the move it likes best."""
    return answer(state, seat, chance, on_turn=_best, interrupt=calls_calza)


def _turn(state: State, seat: int, chance: Chance) -> Move:
    mixed = two_left.strategy(state, seat)
    if mixed is not None:
        return picked([move for move, _ in mixed], [share for _, share in mixed], chance)
    moves, values = weighed(state, seat)
    return drawn(moves, values, chance, temperature(state))


def _best(state: State, seat: int, chance: Chance) -> Move:
    moves, values = weighed(state, seat)
    return moves[max(range(len(moves)), key=values.__getitem__)]


def temperature(state: State) -> float:
    """In dice: a move so much worse is chosen e times less often."""
    return TEMPERATURE if state.bids else OPENING_TEMPERATURE


def weighed(state: State, seat: int) -> tuple[list[Move], list[float]]:
    """Every legal move of the seat on turn, and what the network says each is worth, in dice."""
    moves = features.choices(state, seat, state.hand(seat))
    return [move for move in moves if move], [float(v) for v in network.weigh(state, seat, moves)]


def drawn(
    moves: Sequence[Move], values: Sequence[float], chance: Chance, temperature: float
) -> Move:
    """A move by chance, e times less likely for each `temperature` that it is worth less."""
    best = max(values)
    return picked(moves, [exp((value - best) / temperature) for value in values], chance)


def picked(moves: Sequence[Move], weights: Sequence[float], chance: Chance) -> Move:
    """One of these moves by chance, as likely as it weighs."""
    left = chance.below(_FINE) / _FINE * sum(weights)
    for move, weight in zip(moves, weights, strict=True):
        left -= weight
        if left < 0:
            return move
    return moves[weights.index(max(weights))]


def calls_calza(state: State, seat: int, chance: Chance, *, more: float = 0.0) -> bool:
    """Whether calza out of turn, worth so many dice `more` than it is, beats letting it pass."""
    bid = state.last_bid
    if bid is None or own_odds(state, seat, bid).exact < WEIGHED_AT:
        return False
    calza, passing = network.weigh(state, seat, [Calza(), features.PASS])
    return bool(calza + more > passing)
