"""The easy bot: plays what it can, sometimes pretends that it cannot, accuses on a whim."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from games.core.contract import Chance
from games.peco_peco.bots.answer import answer, any_of, partners, plays
from games.peco_peco.rules.moves import Declare, Move
from games.peco_peco.rules.state import State

ACCUSES_ONE_IN: Final = 6  # declarations
BLUFFS_ONE_IN: Final = 8  # turns on which it could play
FORGETS_ONE_IN: Final = 4  # calls that are due (Q43)


def easy(state: State, seat: int, chance: Chance) -> Move | None:
    """Plays any card it can; now and then accuses, bluffs or forgets the call without a reason."""
    return answer(state, seat, chance, on_turn=_turn, accuses=_accuses, joins=_joins)


def _turn(state: State, seat: int, chance: Chance) -> Move:
    possible = plays(state, seat)
    if not possible or not chance.below(BLUFFS_ONE_IN):
        return Declare()
    play = any_of(possible, chance)
    forgets = play.call and not chance.below(FORGETS_ONE_IN)
    return replace(play, call=False) if forgets else play


def _accuses(state: State, seat: int, chance: Chance) -> bool:
    return not chance.below(ACCUSES_ONE_IN)


def _joins(state: State, seat: int, chance: Chance) -> Move:
    return any_of(partners(state, seat), chance)
