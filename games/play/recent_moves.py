"""In-memory record of the games that this process has just changed.

Work that is not part of a move and not urgent is done once the game has had no change for a while.
"""

from __future__ import annotations

from math import inf
from time import monotonic

# When each game last changed, by time.monotonic; `take` removes games without recent changes.
_changed: dict[str, float] = {}


def note(code: str) -> None:
    """Record that this game has changed now; safe on any thread."""
    _changed[code] = monotonic()


def take(*, still: float) -> list[str]:
    """Remove and return the games without a change for `still` seconds."""
    before = monotonic() - still
    codes = [code for code, at in list(_changed.items()) if at <= before]
    for code in codes:
        _changed.pop(code, None)
    return codes


def put_back(code: str) -> None:
    """Return a game to the record, so that the next `take` returns it, unless it has changed."""
    _changed.setdefault(code, -inf)
