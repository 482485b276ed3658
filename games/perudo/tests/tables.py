"""Perudo positions in one line, and what a round leads to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

from games.core.chance import ScriptedChance
from games.core.contract import IllegalMove
from games.core.moves import Confirm
from games.perudo.rules.bids import Bid
from games.perudo.rules.decide import decide
from games.perudo.rules.events import BidMade
from games.perudo.rules.evolve import evolve
from games.perudo.rules.moves import Move
from games.perudo.rules.options import Options
from games.perudo.rules.state import State

ANY_DICE = ScriptedChance(repeat(2))  # where the dice do not matter


def table(
    hands: Sequence[Sequence[int]],
    *,
    bid: str | None = None,
    bidder: int = 0,
    turn: int | None = None,
    palifico: int | None = None,
    been_palifico: Sequence[int] = (),
    gone: Sequence[int] = (),
    **settings: Any,
) -> State:
    """Seats with these dice in an ordinary round; it is the turn of the seat left of the bidder."""
    state = State(
        options=Options(**settings),
        seats=len(hands),
        phase="turn",
        dice=tuple(len(hand) for hand in hands),
        hands=tuple(tuple(hand) for hand in hands),
        number=1,
        turn=turn or 0,
        palifico=palifico,
        have_been_palifico=frozenset(been_palifico),
        gone=tuple(gone),
        out=tuple(seat for seat, hand in enumerate(hands) if not hand),
    )
    if bid is None:
        return state
    state = evolve(state, BidMade(bidder, Bid.from_text(bid)))
    assert turn is None or turn == state.turn
    return state


def after(state: State, *moves: tuple[int, Move]) -> State:
    """The state when these seats have made these moves."""
    for seat, move in moves:
        for fact in decide(state, seat, move, ANY_DICE):
            state = evolve(state, fact)
    return state


def next_round(state: State) -> State:
    """The state when every seat has confirmed the reveal."""
    assert state.phase == "reveal"
    return after(state, *((seat, Confirm()) for seat in state.active))


def refusal(state: State, seat: int, move: Move) -> str | None:
    """The reason for which a move is refused; None when it is not."""
    try:
        decide(state, seat, move, ANY_DICE)
    except IllegalMove as illegal:
        return illegal.code
    return None
