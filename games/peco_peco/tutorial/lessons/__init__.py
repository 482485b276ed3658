"""The ten lessons, in their order; each is in the file of its subject."""

from __future__ import annotations

from typing import Final

from games.peco_peco.tutorial.lesson import Lesson
from games.peco_peco.tutorial.lessons.accusations import ACCUSE, SLAP, WRONG
from games.peco_peco.tutorial.lessons.cards import BEAT, BLUFF, CANNOT, CIRCLE
from games.peco_peco.tutorial.lessons.stakes import BOMB, ICONS, SET

LESSONS: Final[tuple[Lesson, ...]] = (
    BEAT,
    CIRCLE,
    CANNOT,
    BLUFF,
    ACCUSE,
    WRONG,
    ICONS,
    BOMB,
    SLAP,
    SET,
)
