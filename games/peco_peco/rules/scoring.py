"""Buffets and what they are worth: sets, points and the ranking (Q36 to Q42). Pure arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from games.peco_peco.rules.stakes import FOODS, STAKES

Facing = Literal["up", "tilted", "down"]


@dataclass(frozen=True, slots=True)
class Laid:
    """A stake in a buffet: face up, tilted and not yet won, or face down (Q36)."""

    stake: str
    facing: Facing = "up"


Buffet = tuple[Laid, ...]


def settle_tilted(buffet: Buffet, *, won_again: bool) -> Buffet:
    """A tilted stake is turned up when its owner won again, face down otherwise (Q36)."""
    facing: Facing = "up" if won_again else "down"
    return tuple(Laid(laid.stake, facing) if laid.facing == "tilted" else laid for laid in buffet)


def is_set(buffet: Iterable[Laid]) -> bool:
    """Whether all three types lie face up (Q37)."""
    return {STAKES[laid.stake].food for laid in buffet if laid.facing == "up"} == set(FOODS)


def value(buffet: Iterable[Laid]) -> int:
    """Points: for each type its best card plus one for each further one, and one for each card
    that lies face down (Q38). A tilted card is not won and counts nothing.
    """
    laid = list(buffet)
    points = sum(one.facing == "down" for one in laid)
    for food in FOODS:
        dishes = [
            STAKES[one.stake].dishes
            for one in laid
            if one.facing == "up" and STAKES[one.stake].food == food
        ]
        if dishes:
            points += max(dishes) + len(dishes) - 1
    return points


def cards_won(buffet: Iterable[Laid]) -> int:
    """The number of stakes won, those face down included (Q39)."""
    return sum(laid.facing != "tilted" for laid in buffet)


def pooled(buffets: Sequence[Buffet], side: Iterable[int]) -> Buffet:
    """The buffets of all seats of a side together (Q41)."""
    return tuple(laid for seat in side for laid in buffets[seat])


def weaker_sides(buffets: Sequence[Buffet], sides: Sequence[Sequence[int]]) -> list[int]:
    """The numbers of the sides of the lowest value, of these those with the fewest cards (Q42)."""
    weights = [(value(pooled(buffets, side)), cards_won(pooled(buffets, side))) for side in sides]
    return [number for number, weight in enumerate(weights) if weight == min(weights)]
