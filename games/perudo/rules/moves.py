"""What a seat may do: the moves of Perudo and how the strings of a form become one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from games.core.contract import IllegalMove, form_number
from games.core.moves import Confirm, Leave
from games.perudo.rules.bids import PACO, Bid


@dataclass(frozen=True, slots=True)
class Dudo:
    """I doubt the last bid (P18)."""

    kind: ClassVar[str] = "dudo"


@dataclass(frozen=True, slots=True)
class Calza:
    """The last bid is exactly true (P33)."""

    kind: ClassVar[str] = "calza"


@dataclass(frozen=True, slots=True)
class SettleClaims:
    """The time to claim is up: the nearest claim prevails (P40). Only the scheduler plays it."""

    kind: ClassVar[str] = "settle"


Move = Bid | Dudo | Calza | Confirm | Leave | SettleClaims

_PLAIN: Final[Mapping[str, Move]] = {
    move.kind: move for move in (Dudo(), Calza(), Confirm(), Leave())
}


def parse(data: Mapping[str, object]) -> Move:
    """The move of a form: `do` names it, a bid has `quantity` and `face` (1 or P is the paco).

    Raises IllegalMove("malformed") for anything that is no move at all; a number or a face that
    cannot be bid is still a Bid, which the rules then refuse with their own reason.
    """
    action = data.get("do")
    if isinstance(action, str) and action in _PLAIN:
        return _PLAIN[action]
    if action != "bid":
        raise IllegalMove("malformed")
    face = data.get("face")
    quantity = form_number(data.get("quantity"), digits=4)
    return Bid(quantity, PACO if face == "P" else form_number(face, digits=4))
