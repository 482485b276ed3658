"""Moves that every game has; each game defines others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Confirm:
    """Acknowledge the end of a round."""

    kind: ClassVar[str] = "confirm"


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the game for good."""

    kind: ClassVar[str] = "leave"
