"""The moves that every game has; the others are the game's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Confirm:
    """I have seen how the round ended."""

    kind: ClassVar[str] = "confirm"


@dataclass(frozen=True, slots=True)
class Leave:
    """I leave the game."""

    kind: ClassVar[str] = "leave"
