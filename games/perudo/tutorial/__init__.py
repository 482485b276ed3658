"""The tutorial: ten small steps, each a real position of the real engine with luck written down."""

from __future__ import annotations

from games.perudo.tutorial.lesson import Answer, Lesson, form_of
from games.perudo.tutorial.lessons import LESSONS
from games.perudo.tutorial.pages import FIELDS, step, titles
from games.perudo.tutorial.script import LEARNER

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
