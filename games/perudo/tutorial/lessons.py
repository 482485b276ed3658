"""The ten steps, in their order."""

from __future__ import annotations

from typing import Final

from games.perudo.tutorial.bids import OPEN, RAISE, YOUR_DICE
from games.perudo.tutorial.calls import CALZA, DUDO, FAILED_DOUBT, PALIFICO
from games.perudo.tutorial.lesson import Lesson
from games.perudo.tutorial.pacos import BACK, HALF, WILD

LESSONS: Final[tuple[Lesson, ...]] = (
    YOUR_DICE,
    OPEN,
    RAISE,
    WILD,
    DUDO,
    FAILED_DOUBT,
    HALF,
    BACK,
    PALIFICO,
    CALZA,
)
