"""The tempers of the characters: a bot of the ladder that likes some moves better than they are.

A temper never sees more than its bot. With two players left those of the expert only choose more
freely among the moves of its tables, where no mixture costs much.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Final

from games.core.contract import Chance
from games.perudo.bots import two_left
from games.perudo.bots.answer import answer, any_of, drawn, own_odds, picked
from games.perudo.bots.beginner import calls_calza as beginner_calls_calza
from games.perudo.bots.beginner import turn as beginner_turn
from games.perudo.bots.expert import calls_calza as expert_calls_calza
from games.perudo.bots.expert import temperature
from games.perudo.bots.expert import weighed as weighed_by_expert
from games.perudo.bots.sharp import calls_calza as sharp_calls_calza
from games.perudo.bots.sharp import chosen as chosen_by_sharp
from games.perudo.bots.sharp import weighed as weighed_by_sharp
from games.perudo.bots.steady import calls_calza as steady_calls_calza
from games.perudo.bots.steady import turn as steady_turn
from games.perudo.rules.bids import DICE_EACH, Bid, matching
from games.perudo.rules.moves import Calza, Move
from games.perudo.rules.state import State

BOLD: Final = 0.05  # in dice: what the bluffer likes a bid better that its hand does not carry
TRUSTING: Final = 0.35  # below this the trusting beginner may doubt on a whim
CALZA_JOY: Final = 0.08  # in dice: what the friend of calza likes it better than it is worth
CARE: Final = 0.12  # in dice: what the careful one likes a bid better that is surely true
MOODS: Final = (0.2, 0.3, 0.4)  # the moody one doubts below one of these, by chance
FICKLE: Final = 0.12  # the moody one makes any bid that is so nearly as likely as the likeliest

TABLES_HEAT: Final = 0.1  # in dice: a move of the tables liked so much more is e times as likely

# What a temper adds to the worth of a move, in dice.
Temper = Callable[[State, int, Move], float]


def bluffer(state: State, seat: int, chance: Chance) -> Move | None:
    """The expert, who bids more often what its own dice do not carry."""
    return _tempered(state, seat, chance, _bold)


def calza_friend(state: State, seat: int, chance: Chance) -> Move | None:
    """The expert, who calls calza more often, on its turn and out of turn."""
    return _tempered(state, seat, chance, _joyful)


def careful(state: State, seat: int, chance: Chance) -> Move | None:
    """Sharp, who likes likely bids."""
    return answer(state, seat, chance, on_turn=_careful_turn, interrupt=sharp_calls_calza)


def moody(state: State, seat: int, chance: Chance) -> Move | None:
    """Steady, whose doubts and bids change from turn to turn."""
    return answer(state, seat, chance, on_turn=_moody_turn, interrupt=steady_calls_calza)


def trusting(state: State, seat: int, chance: Chance) -> Move | None:
    """A beginner, who doubts late."""

    def on_turn(state: State, seat: int, chance: Chance) -> Move:
        return beginner_turn(state, seat, chance, suspicion=TRUSTING)

    return answer(state, seat, chance, on_turn=on_turn, interrupt=beginner_calls_calza)


def is_bluff(state: State, seat: int, move: Move) -> bool:
    """Whether this is a bid to which the seat's own dice add less than their share."""
    if not isinstance(move, Bid):
        return False
    hand = state.hand(seat)
    mine = matching(hand, move.face, palifico=state.palifico is not None)
    return mine * sum(state.dice) < move.quantity * len(hand)


def _bold(state: State, seat: int, move: Move) -> float:
    return BOLD if is_bluff(state, seat, move) else 0.0


def _joyful(state: State, seat: int, move: Move) -> float:
    gains = isinstance(move, Calza) and state.dice[seat] < DICE_EACH
    return CALZA_JOY if gains else 0.0


def _likely(state: State, seat: int, move: Move) -> float:
    return CARE * own_odds(state, seat, move).true if isinstance(move, Bid) else 0.0


def _tempered(state: State, seat: int, chance: Chance, temper: Temper) -> Move | None:
    """What the expert does when moves are worth what the temper adds more to it."""

    def on_turn(state: State, seat: int, chance: Chance) -> Move:
        mixed = two_left.strategy(state, seat)
        if mixed is None:
            moves, values = weighed_by_expert(state, seat)
            liked = [v + temper(state, seat, move) for move, v in zip(moves, values, strict=True)]
            return drawn(moves, liked, chance, temperature(state))
        shares = [share * exp(temper(state, seat, move) / TABLES_HEAT) for move, share in mixed]
        return picked([move for move, _ in mixed], shares, chance)

    def interrupt(state: State, seat: int, chance: Chance) -> bool:
        return expert_calls_calza(state, seat, chance, more=temper(state, seat, Calza()))

    return answer(state, seat, chance, on_turn=on_turn, interrupt=interrupt)


def _careful_turn(state: State, seat: int, chance: Chance) -> Move:
    moves = weighed_by_sharp(state, seat)
    liked = [(worth + _likely(state, seat, move), move) for worth, move in moves]
    return chosen_by_sharp(state, seat, liked, chance)


def _moody_turn(state: State, seat: int, chance: Chance) -> Move:
    return steady_turn(state, seat, chance, doubtful=any_of(MOODS, chance), within=FICKLE)
