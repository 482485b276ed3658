"""The ten steps, in their order."""

from __future__ import annotations

from typing import Final

from games.peco_peco.tutorial.accusations import ACCUSE, SLAP, WRONG
from games.peco_peco.tutorial.cards import BEAT, BLUFF, CANNOT, CIRCLE
from games.peco_peco.tutorial.lesson import Lesson
from games.peco_peco.tutorial.stakes import BOMB, ICONS, SET

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
