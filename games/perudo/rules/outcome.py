"""Who won and how: the last with dice, then the others, last out first (P49)."""

from __future__ import annotations

from games.core.contract import Outcome
from games.perudo.rules.state import State


def outcome(state: State) -> Outcome | None:
    """The winner, then the others, last out first; None while the game runs (P49)."""
    if state.phase != "over":
        return None
    winner = next(seat for seat in range(state.seats) if seat not in state.out)
    left = state.out[-1] in state.gone  # a seat that left goes out last only if everyone else left
    return Outcome(
        ranking=tuple((seat,) for seat in (winner, *reversed(state.out))),
        reason="others_left" if left else "last_with_dice",
    )


def ranking(state: State) -> tuple[int, ...]:
    """The seats that still have dice, those with the most first; equal ones in seat order."""
    return tuple(sorted(state.active, key=lambda seat: -state.dice[seat]))
