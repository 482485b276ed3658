"""The tutorial: ten small steps, each a real position of the real engine with luck written down."""

from __future__ import annotations

from games.peco_peco.tutorial.lesson import Answer, Lesson, form_of
from games.peco_peco.tutorial.lessons import LESSONS
from games.peco_peco.tutorial.pages import FIELDS, step, titles
from games.peco_peco.tutorial.script import LEARNER

__all__ = [
    "FIELDS",
    "LEARNER",
    "LESSONS",
    "Answer",
    "Lesson",
    "form_of",
    "step",
    "titles",
]
