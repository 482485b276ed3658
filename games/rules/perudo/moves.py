"""What a seat may do: the moves of Perudo and how the strings of a form become one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from games.core.contract import IllegalMove
from games.rules.perudo.bids import PACO, Bid


@dataclass(frozen=True, slots=True)
class Dudo:
    """I doubt the last bid (P18)."""

    kind: ClassVar[str] = "dudo"


@dataclass(frozen=True, slots=True)
class Calza:
    """The last bid is exactly true (P33)."""

    kind: ClassVar[str] = "calza"


@dataclass(frozen=True, slots=True)
class Confirm:
    """I have seen the dice (P46)."""

    kind: ClassVar[str] = "confirm"


@dataclass(frozen=True, slots=True)
class Leave:
    """I leave the game."""

    kind: ClassVar[str] = "leave"


@dataclass(frozen=True, slots=True)
class SettleClaims:
    """The instant is over: the nearest claim prevails (P40). Only the clock plays it."""

    kind: ClassVar[str] = "settle"


Move = Bid | Dudo | Calza | Confirm | Leave | SettleClaims

MOVES: Final[Mapping[str, type[Any]]] = {
    move.kind: move for move in (Bid, Dudo, Calza, Confirm, Leave, SettleClaims)
}
_PLAIN: Final[Mapping[str, Move]] = {
    move.kind: move for move in (Dudo(), Calza(), Confirm(), Leave())
}
_NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)


def parse(data: Mapping[str, Any]) -> Move:
    """The move of a form: `do` names it, a bid has `quantity` and `face` (1 or P is the paco).

    Raises IllegalMove("malformed") for anything that is no move at all; a number or a face that
    cannot be bid is still a Bid, which the rules then refuse with their own reason.
    """
    deed = data.get("do")
    if isinstance(deed, str) and deed in _PLAIN:
        return _PLAIN[deed]
    if deed != "bid":
        raise IllegalMove("malformed")
    face = data.get("face")
    return Bid(_number(data.get("quantity")), PACO if face == "P" else _number(face))


def _number(text: Any) -> int:
    if not isinstance(text, str) or not _NUMBER.fullmatch(text):
        raise IllegalMove("malformed")
    return int(text)
