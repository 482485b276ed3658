"""What a seat may do: the moves of Peco Peco and how the strings of a form become one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, cast

from games.core.contract import IllegalMove, form_number
from games.core.moves import Confirm, Leave
from games.peco_peco.rules.cards import CARDS, Card


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card (Q10); `target` is the seat a steal icon names (Q30), `call` the call of Q43."""

    kind: ClassVar[str] = "play"
    card: Card
    target: int | None = None
    call: bool = False


@dataclass(frozen=True, slots=True)
class Declare:
    """I cannot play (Q10, Q13)."""

    kind: ClassVar[str] = "declare"


@dataclass(frozen=True, slots=True)
class Accuse:
    """The last declaration was a bluff (Q17, Q33)."""

    kind: ClassVar[str] = "accuse"


@dataclass(frozen=True, slots=True)
class Waive:
    """I do not accuse the last declaration (Q33)."""

    kind: ClassVar[str] = "waive"


@dataclass(frozen=True, slots=True)
class JoinTeam:
    """The single player joins the side of this seat (Q42)."""

    kind: ClassVar[str] = "join_team"
    partner: int


@dataclass(frozen=True, slots=True)
class CloseWindow:
    """The time to accuse by slap is up (Q33). Only the scheduler plays it."""

    kind: ClassVar[str] = "close_window"


Move = Play | Declare | Accuse | Waive | JoinTeam | Confirm | Leave | CloseWindow

_PLAIN: Final[Mapping[str, Move]] = {
    move.kind: move for move in (Declare(), Accuse(), Waive(), Confirm(), Leave())
}


def parse(data: Mapping[str, Any]) -> Move:
    """The move of a form: `do` names it; a play has `card`, and where needed `target` (a seat)
    and `call` ("on"); joining a team has `partner` (a seat).

    Raises IllegalMove("malformed") for anything that is no move at all.
    """
    action = data.get("do")
    if isinstance(action, str) and action in _PLAIN:
        return _PLAIN[action]
    if action == "join_team":
        return JoinTeam(form_number(data.get("partner"), digits=1))
    card = data.get("card")
    if action != "play" or card not in CARDS:
        raise IllegalMove("malformed")
    target, call = data.get("target"), data.get("call")
    if call not in (None, "", "on"):
        raise IllegalMove("malformed")
    return Play(cast("Card", card), form_number(target, digits=1) if target else None, call == "on")
