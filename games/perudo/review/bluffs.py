"""The biggest bluff of each player that held: a bid that was false, and nobody doubted it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from games.perudo.highlights import BOLD
from games.perudo.moments import Moment
from games.study.review.log import By


def held(moments: Sequence[Moment], by: Callable[..., By]) -> dict[int, dict[str, object]]:
    """Of each seat, by its number, the bluff of a person that was least likely by their own dice.

    A bluff is a bid of more dice than there were, and less likely than not to whoever made it; it
    held if the next player bid. Of equals it is the
    one that was short of most dice, then the first. See `accounts` of `optional_parts.Judge`.
    """
    found: dict[int, dict[str, Any]] = {}
    for number, (shown, then) in enumerate(pairwise(moments), start=1):
        move, following = shown.move, then.move
        if move is None or move.code != "bid" or following is None or following.code != "bid":
            continue
        short = move.values["quantity"] - move.values["count"]
        is_bluff = short > 0 and move.chance is not None and move.chance < BOLD
        if not is_bluff or by(move.seat, automatic=move.automatic) != "person":
            continue
        values = {name: move.values[name] for name in ("quantity", "face")}
        values |= {"short": short, "chance": move.chance}
        bluff = {"moment": number, "chance": move.chance, "code": "held_bluff", "values": values}
        if move.seat not in found or _rank(bluff) < _rank(found[move.seat]):
            found[move.seat] = bluff
    return found


def _rank(bluff: dict[str, Any]) -> tuple[float, int]:
    return bluff["chance"], -bluff["values"]["short"]
