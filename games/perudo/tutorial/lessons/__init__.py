"""The ten lessons, in their order; each is in the file of its subject."""

from __future__ import annotations

from typing import Final

from games.perudo.tutorial.lesson import Lesson
from games.perudo.tutorial.lessons.bids import OPEN, RAISE, YOUR_DICE
from games.perudo.tutorial.lessons.calls import CALZA, DUDO, FAILED_DOUBT, PALIFICO
from games.perudo.tutorial.lessons.pacos import BACK, HALF, WILD

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
