"""What every bot has to answer: its turn, a slap, a choice of a team, the end of a round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from games.core.contract import Chance
from games.core.moves import Confirm
from games.peco_peco.rules.moves import Accuse, JoinTeam, Move, Play
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import (
    legal_moves,
    timeout_move,
    to_act,
    why_no_accusation,
)

# A bot moves for the seat whose state it is given.
Bot = Callable[[State, int, Chance], Move | None]

T = TypeVar("T")


def answer(
    state: State,
    seat: int,
    chance: Chance,
    *,
    on_turn: Callable[[State, int, Chance], Move],
    accuses: Callable[[State, int, Chance], bool],
    joins: Callable[[State, int, Chance], Move],
) -> Move | None:
    """What a bot does now, as it decides each kind of question.

    `accuses` is asked where the rules allow an accusation, `on_turn` for the play or declaration
    after it, `joins` when the single player chooses a team (Q42). Nothing is asked for a seat
    whose player left: it moves as at a time limit.
    """
    if seat not in to_act(state):
        return None
    if state.phase == "reveal":
        return Confirm()
    if seat in state.gone:
        return timeout_move(state, seat)
    if state.choices:
        return joins(state, seat, chance)
    if why_no_accusation(state, seat) is None and accuses(state, seat, chance):
        return Accuse()
    is_turn = state.phase == "turn" and seat == state.turn
    return on_turn(state, seat, chance) if is_turn else None


def plays(state: State, seat: int) -> list[Play]:
    """The legal plays, with the call of Q43 where it is due and nowhere else."""
    due = state.options.peco_call == "on" and state.sizes[seat] == 2
    return [
        move for move in legal_moves(state, seat) if isinstance(move, Play) and move.call == due
    ]


def partners(state: State, seat: int) -> list[Move]:
    """The moves by which the single player may join a team (Q42)."""
    return [move for move in legal_moves(state, seat) if isinstance(move, JoinTeam)]


def any_of(items: Sequence[T], chance: Chance) -> T:
    return items[chance.below(len(items))]
