"""The best read of each player: a right dudo against a bid that was likely by their own dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.perudo.highlights import BOLD
from games.perudo.moments import Moment
from games.study.review.log import By


def best(moments: Sequence[Moment], by: Callable[..., By]) -> dict[int, dict[str, Any]]:
    """Of each seat, by its number, the right dudo of a person that was least likely to be right by
    their own dice, and less likely than not. Of equals it is the first. See `accounts` of
    `optional_parts.Judge`.
    """
    found: dict[int, dict[str, Any]] = {}
    for number, shown in enumerate(moments, start=1):
        move = shown.move
        if move is None or move.code != "dudo" or move.chance is None or move.chance >= BOLD:
            continue
        is_right = move.values["count"] < move.values["quantity"]
        if not is_right or by(move.seat, automatic=move.automatic) != "person":
            continue
        if move.seat not in found or move.chance < found[move.seat]["chance"]:
            values = {name: move.values[name] for name in ("quantity", "face")}
            values["chance"] = 1 - move.chance  # of the bid
            read = {"moment": number, "chance": move.chance, "code": "best_read", "values": values}
            found[move.seat] = read
    return found
