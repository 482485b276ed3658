"""The control of a bid: six faces, the numbers possible on each, and the bid that is ready."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.perudo.rules.bids import DICE_EACH, ORDINARY, PACO, Bid, counts_by_face
from games.perudo.rules.state import State
from games.perudo.rules.suggestion import suggested_bid


def faces(state: State, hand: Sequence[int]) -> tuple[list[dict[str, Any]], Bid | None]:
    """The six faces with the numbers that may be bid on each, and the bid that is ready.

    `hand` is the seat's own. The range never depends on the dice that are left (P48), and the ready
    bid on nothing that the seat is not shown (P45).
    """
    last, most, palifico = state.last_bid, state.most, state.palifico is not None
    rules: Any = {"options": state.options, "palifico": palifico, "most": most}
    ready = suggested_bid(last, hand=hand, dice=_dice_known(state), **rules)
    counts = counts_by_face(last, **rules)
    shown = [
        {
            "face": face,
            "legal": bool(counts[face]),
            "min": counts[face][0] if counts[face] else None,
            "max": counts[face][-1] if counts[face] else None,
            "checked": ready is not None and ready.face == face,
            "chance": None,  # at a table that shows odds
        }
        for face in (*ORDINARY, PACO)
    ]
    return shown, ready


def _dice_known(state: State) -> int:
    """The dice in play; where lost dice are hidden, as if nobody who plays had lost any (P45)."""
    if state.options.lost_dice_visible:
        return sum(state.dice)
    return DICE_EACH * len(state.active)
