"""Protocol of the part of a game that counts what chance threw; optional as in `optional_parts`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from games.core.contract import Fact


class Throws(Protocol):
    """What chance threw in a game, where a few outcomes are equally likely; for `play.throws`.

    The template `<key>/fair.html` shows how often each has come up, see `views.fair`.
    """

    OUTCOMES: Sequence[str]  # the keys of the outcomes, in the order in which they are shown
    FACTS: Sequence[type[Fact]]  # that `thrown` reads

    def thrown(self, facts: Iterable[Fact]) -> Mapping[int, Mapping[str, int]]:
        """Return how often each outcome was thrown, by seat, in a finished game with these facts.

        Nothing for a game that begins in the middle of another, as parts of it were given.
        """

    def title(self) -> str:
        """Return the title of that page, in the active language."""
