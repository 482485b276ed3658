"""The control of a bid: six faces, the numbers possible on each, and the bid that is ready."""

from __future__ import annotations

from collections.abc import Sequence

from games.perudo.rules.bids import DICE_EACH, ORDINARY, PACO, Bid, counts_by_face
from games.perudo.rules.state import State
from games.perudo.rules.suggestion import suggested_bid
from games.perudo.shown import FaceChoice


def faces(state: State, hand: Sequence[int]) -> tuple[list[FaceChoice], Bid | None]:
    """The six faces with the numbers that may be bid on each, and the bid that is ready.

    `hand` is the seat's own. The range never depends on the dice that are left (P48), and the ready
    bid on nothing that the seat is not shown (P45).
    """
    last, most, palifico = state.last_bid, state.most, state.palifico is not None
    options, dice = state.options, _dice_known(state)
    ready = suggested_bid(last, hand=hand, dice=dice, options=options, palifico=palifico, most=most)
    counts = counts_by_face(last, options=options, palifico=palifico, most=most)
    shown = [
        FaceChoice(
            face=face,
            legal=bool(counts[face]),
            min=counts[face][0] if counts[face] else None,
            max=counts[face][-1] if counts[face] else None,
            checked=ready is not None and ready.face == face,
        )
        for face in (*ORDINARY, PACO)
    ]
    return shown, ready


def _dice_known(state: State) -> int:
    """The dice in play; where lost dice are hidden, as if nobody who plays had lost any (P45)."""
    if state.options.lost_dice_visible:
        return sum(state.dice)
    return DICE_EACH * len(state.active)
