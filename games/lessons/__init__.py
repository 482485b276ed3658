"""The tutorial: ten small steps, each a real position of the real engine with luck written down."""

from __future__ import annotations

from typing import Final

from games.lessons.bids import OPEN, RAISE, YOUR_DICE
from games.lessons.calls import CALZA, DUDO, FAILED_DOUBT, PALIFICO
from games.lessons.lesson import Answer, Lesson, form_of, known_to
from games.lessons.pacos import BACK, HALF, WILD
from games.lessons.script import LEARNER

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

__all__ = ["LEARNER", "LESSONS", "Answer", "Lesson", "form_of", "known_to"]
