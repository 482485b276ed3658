"""Food cards, the stakes of the rounds (Q2, Q4, Q40; our own deck, B9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Food = Literal["maki", "sushi", "onigiri"]
Rule = Literal["none", "first_feast", "inverse", "slap", "severe", "no_accuse"]
Direction = Literal[1, -1]  # clockwise, anticlockwise

FOODS: Final[tuple[Food, ...]] = get_args(Food)
FIRST_FEAST: Final = "F01"


@dataclass(frozen=True, slots=True)
class Stake:
    """A Food card.

    `deal` is the number of cards each player gets, `rule` is in force during the round (Q32 to
    Q34), `extra` changes the winner's next deal and `tilt` lays the card tilted (Q35, Q36).
    """

    id: str
    food: Food
    dishes: int
    deal: int
    direction: Direction
    rule: Rule = "none"
    extra: int = 0
    tilt: bool = False


STAKES: Final[dict[str, Stake]] = {
    stake.id: stake
    for stake in (
        Stake("F01", "maki", 1, 4, 1, "first_feast"),
        Stake("F02", "maki", 1, 5, -1, "inverse", extra=1),
        Stake("F03", "maki", 2, 4, 1, "slap"),
        Stake("F04", "maki", 2, 3, -1, extra=1),
        Stake("F05", "maki", 3, 5, 1, "severe", extra=-1),
        Stake("F06", "maki", 3, 4, 1, "no_accuse", tilt=True),
        Stake("F07", "sushi", 1, 4, -1, extra=1),
        Stake("F08", "sushi", 1, 5, 1, "slap"),
        Stake("F09", "sushi", 2, 4, -1, "severe"),
        Stake("F10", "sushi", 2, 3, 1, "no_accuse", extra=1),
        Stake("F11", "sushi", 3, 5, -1, "inverse", tilt=True),
        Stake("F12", "sushi", 3, 4, 1, extra=-1),
        Stake("F13", "onigiri", 1, 4, 1, "severe", extra=1),
        Stake("F14", "onigiri", 1, 5, -1),
        Stake("F15", "onigiri", 2, 4, 1, "inverse"),
        Stake("F16", "onigiri", 2, 3, -1, "slap", extra=1),
        Stake("F17", "onigiri", 3, 5, 1, "no_accuse", extra=-1),
        Stake("F18", "onigiri", 3, 4, -1, extra=-1, tilt=True),
    )
}


def food_pile(*, short: bool) -> tuple[str, ...]:
    """The ids of the stakes in the game; a short pile leaves out those that deal five (Q40)."""
    return tuple(stake.id for stake in STAKES.values() if not (short and stake.deal == 5))
