"""The dice that were rolled in a game of Perudo: see `contract.throws`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.translation import gettext

from games.core.contract import Fact
from games.perudo.rules.events import Rolled, StartedMidway, StarterRolled

OUTCOMES: Final = ("1", "2", "3", "4", "5", "6")
FACTS: Final = (StartedMidway, StarterRolled, Rolled)


def thrown(facts: Iterable[Fact]) -> Mapping[int, Mapping[str, int]]:
    """Count every die: those for who opens (P4), and every hand of every round (P6)."""
    found: dict[int, Counter[str]] = {}
    for fact in facts:
        match fact:
            case StartedMidway():
                return {}
            case Rolled():
                found.setdefault(fact.only, Counter()).update(map(str, fact.dice))
            case StarterRolled():
                for seat, dice in fact.rolls:
                    found.setdefault(seat, Counter()).update(map(str, dice))
    return found


def title() -> str:
    return gettext("Are the dice fair?")
