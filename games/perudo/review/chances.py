"""The chance to win a game between its rounds, by the dice that everybody has.

`bots/chances.json` comes from games of the best bot against itself: see its "command". It does not
look at who opens, and leaves calza out, by which dice can come back.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from games.perudo.bots.features import OUTCOMES, SEATS, Array, Position
from games.perudo.rules.bids import DICE_EACH

FILE: Final = Path(__file__).parent.with_name("bots") / "chances.json"


@cache
def table() -> dict[tuple[int, ...], dict[int, float]]:
    """By the dice at a table, the most first: by the dice of a seat, its chance to win."""
    kept = json.loads(FILE.read_text())["chances"]
    return {
        tuple(map(int, dice.split())): {int(own): chance for own, chance in each.items()}
        for dice, each in kept.items()
    }


@cache
def of_dice(dice: tuple[int, ...]) -> Array:
    """The chance of every seat to win; they add up to 1."""
    left = tuple(sorted(filter(None, dice), reverse=True))
    if len(left) == 1:
        return np.array([float(own > 0) for own in dice])
    by_dice = table()[left]
    found = np.array([by_dice[own] if own else 0.0 for own in dice])
    chances: Array = found / found.sum()
    return chances


def after(p: Position, dice: Sequence[int]) -> Array:
    """The chances of every seat after each end of the round: an array (OUTCOMES, seats).

    `dice` are by seat. Rows of what cannot happen are zero.
    """
    rows = np.zeros((OUTCOMES, len(dice)))
    for place, seat in enumerate(p.seats):
        rows[place] = of_dice(_changed(dice, seat, -1))
        if dice[seat] < DICE_EACH:
            rows[SEATS + place] = of_dice(_changed(dice, seat, +1))
    rows[2 * SEATS] = of_dice(tuple(dice))
    return rows


def _changed(dice: Sequence[int], seat: int, by: int) -> tuple[int, ...]:
    return tuple(left + by if each == seat else left for each, left in enumerate(dice))
