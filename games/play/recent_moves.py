"""The games that have just changed, noted in memory by the process that changed them.

What is no part of a move, and needs no answer at once, is done when the game stands still.
"""

from __future__ import annotations

from math import inf
from time import monotonic

# When each changed last, by time.monotonic; a game is taken out as soon as it stands still.
_changed: dict[str, float] = {}


def note(code: str) -> None:
    """Note that this game has changed now; on any thread."""
    _changed[code] = monotonic()


def take(*, still: float) -> list[str]:
    """Take out the games that have stood still for so many seconds."""
    before = monotonic() - still
    codes = [code for code, at in list(_changed.items()) if at <= before]
    for code in codes:
        _changed.pop(code, None)
    return codes


def put_back(code: str) -> None:
    """Note that this game stands still, and is to be taken out again; it may have moved since."""
    _changed.setdefault(code, -inf)
