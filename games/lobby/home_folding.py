"""Which sections of a returning player's home page are open: the stage comes within a screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Lines of 44 to 52 px, a heading being one: with the head of the page about half a phone's screen.
_LINES: Final = 8
# Running games that are shown; the others are folded.
RUNNING: Final = 2


def opened(rows: Mapping[str, int], *, step: bool, running: int) -> list[str]:
    """The names of the sections that are open, from the first; the others show their heading.

    `rows`: how many rows each has, in their order. `step`: a line above them has the next step.
    """
    filled = {name: number for name, number in rows.items() if number}
    left = _LINES - len(filled) - 2 * step
    if running:
        left -= 1 + min(running, RUNNING) + (running > RUNNING)
    found = []
    for name, number in filled.items():
        if number <= left:
            left -= number
            found.append(name)
    return found
