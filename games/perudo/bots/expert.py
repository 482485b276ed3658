"""The expert: weighs every move by a network that has played millions of rounds.

It chooses by chance among moves of nearly the same worth, so that its bids do not tell its dice.
With two players left it plays tables that nobody can exploit by much.
"""

from __future__ import annotations

from typing import Final

from games.core.contract import Chance
from games.perudo.bots import features, network, two_left
from games.perudo.bots.answer import answer, drawn, is_leap, own_odds, picked
from games.perudo.rules.moves import Calza, Move
from games.perudo.rules.state import State

TEMPERATURE: Final = 0.02  # in dice: a move so much worse is chosen e times less often
OPENING_TEMPERATURE: Final = 0.04  # the first bid of a round is read most
WEIGHED_AT: Final = 0.25  # out of turn, calza is weighed where exact is so likely


def expert(state: State, seat: int, chance: Chance) -> Move | None:
    """Chooses by a softmax of what its network says each move is worth."""
    return answer(state, seat, chance, on_turn=_turn, interrupt=calls_calza)


def strongest(state: State, seat: int, chance: Chance) -> Move | None:
    """The network alone and without chance, for measuring: always the move it likes best."""
    return answer(state, seat, chance, on_turn=_best, interrupt=calls_calza)


def expert_among_weaker(state: State, seat: int, chance: Chance) -> Move | None:
    """The same, raising by little."""
    return answer(state, seat, chance, on_turn=_small_turn, interrupt=calls_calza)


def _turn(state: State, seat: int, chance: Chance) -> Move:
    mixed = two_left.strategy(state, seat)
    if mixed is not None:
        return picked([move for move, _ in mixed], [share for _, share in mixed], chance)
    moves, values = weighed(state, seat)
    return drawn(moves, values, chance, temperature(state))


def _small_turn(state: State, seat: int, chance: Chance) -> Move:
    """By the network alone: the tables mix leaps with small raises."""
    found = [
        (move, value)
        for move, value in zip(*weighed(state, seat), strict=True)
        if not is_leap(state, move)
    ]
    values = [value for _, value in found]
    return drawn([move for move, _ in found], values, chance, temperature(state))


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


def calls_calza(state: State, seat: int, chance: Chance, *, more: float = 0.0) -> bool:
    """Whether calza out of turn, worth so many dice `more` than it is, beats letting it pass."""
    bid = state.last_bid
    if bid is None or own_odds(state, seat, bid).exact < WEIGHED_AT:
        return False
    calza, passing = network.weigh(state, seat, [Calza(), features.PASS])
    return bool(calza + more > passing)
