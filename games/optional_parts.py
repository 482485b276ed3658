"""The Protocols of what a game need not provide; the others are in `catalogue`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from games.game_values import OddsQuestion


class Trainer(Protocol):
    """Questions about the odds of a game, which not every game has; nothing is stored.

    What a question shows is `<key>/_odds_question.html`, given its `values` as `q`.
    """

    STYLES: Sequence[str]  # the style sheets of that template, static files

    def odds_question(self, seed: int, number: int) -> OddsQuestion:
        """The question `number`, from 1, of those that belong to `seed`, in the active language.

        The same for the same two numbers, and harder for a higher `number`.
        """
