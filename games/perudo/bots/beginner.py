"""The beginner: bids at random what looks possible, doubts on a whim."""

from __future__ import annotations

from typing import Final

from games.core.contract import Chance
from games.perudo.bots.answer import (
    answer,
    any_of,
    climbing,
    legal_quantities,
    may_call_calza,
    own_odds,
    smallest_bids,
)
from games.perudo.rules.bids import DICE_EACH, FACES, Bid
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.rules.state import State

BELIEVABLE: Final = 0.25  # a beginner's own bids look at least so likely to it
SUSPICION: Final = 0.5  # below this it may doubt …
WHIM: Final = 4  # … one time in so many; it calls a tempting calza as rarely
TEMPTING: Final = 0.3  # a probability of being exact that tempts it


def beginner(state: State, seat: int, chance: Chance) -> Move | None:
    """Bids at random what looks possible, doubts on a whim or when nothing does."""
    return answer(state, seat, chance, on_turn=turn, interrupt=calls_calza)


def turn(state: State, seat: int, chance: Chance, *, suspicion: float = SUSPICION) -> Move:
    """A believable bid at random, or dudo, also on a whim at what is less likely than this."""
    if may_call_calza(state, seat) and calls_calza(state, seat, chance):
        return Calza()
    last = state.last_bid
    if last and own_odds(state, seat, last).true < suspicion and not chance.below(WHIM):
        return Dudo()
    bids = [
        Bid(quantity, face)
        for face in FACES
        for quantity in legal_quantities(state, face)[:2]
        if own_odds(state, seat, Bid(quantity, face)).true >= BELIEVABLE
    ]
    if bids:
        return any_of(climbing(state, bids), chance)
    return Dudo() if last else any_of(smallest_bids(state), chance)


def calls_calza(state: State, seat: int, chance: Chance) -> bool:
    """Whether an exact bid tempts it, now and then."""
    bid = state.last_bid
    tempted = bid is not None and own_odds(state, seat, bid).exact >= TEMPTING
    return tempted and state.dice[seat] < DICE_EACH and not chance.below(WHIM)
