"""The steady bot: goes by the odds, given its own dice."""

from __future__ import annotations

from typing import Final

from games.core.contract import Chance
from games.perudo.bots.answer import (
    answer,
    best_of,
    may_call_calza,
    own_odds,
    smallest_bids,
    worth_a_calza,
)
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.rules.state import State

DOUBTFUL: Final = 0.3  # a bid less likely than this is doubted


def steady(state: State, seat: int, chance: Chance) -> Move | None:
    """Doubts what is unlikely given its own dice, else makes the likeliest legal bid."""
    return answer(state, seat, chance, on_turn=turn, interrupt=calls_calza)


def turn(
    state: State,
    seat: int,
    chance: Chance,
    *,
    doubtful: float = DOUBTFUL,
    within: float = 0.0,
) -> Move:
    """Dudo below `doubtful`, else one of the bids `within` so little of the likeliest."""
    if may_call_calza(state, seat) and calls_calza(state, seat, chance):
        return Calza()
    last = state.last_bid
    if last and own_odds(state, seat, last).true < doubtful:
        return Dudo()
    bids = [(own_odds(state, seat, bid).true, bid) for bid in smallest_bids(state)]
    return best_of(bids, chance, within=within) if bids else Dudo()


def calls_calza(state: State, seat: int, chance: Chance) -> bool:
    """Whether calza is worth its risk, by the seat's own odds."""
    bid = state.last_bid
    return bid is not None and worth_a_calza(state, seat, own_odds(state, seat, bid))
