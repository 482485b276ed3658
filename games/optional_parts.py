"""The Protocols of what a game need not provide; the others are in `catalogue`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from games.game_values import OddsQuestion, ReplayMove

if TYPE_CHECKING:
    from games.models import Seat


class Trainer(Protocol):
    """Questions about the odds of a game, which not every game has; nothing is stored.

    What a question shows is `<key>/_odds_question.html`, given its `values` as `q`.
    """

    STYLES: Sequence[str]  # the style sheets of that template, static files

    def odds_question(self, seed: int, number: int) -> OddsQuestion:
        """The question `number`, from 1, of those that belong to `seed`, in the active language.

        The same for the same two numbers, and harder for a higher `number`.
        """


class Questions(Protocol):
    """Decisions of finished games as questions, which not every game asks.

    What the answer shows is `<key>/_question_table.html`, with `revealed` as `t`; the question is
    shown by the templates of a table, with `t` and `o` of `position`.
    """

    FIELDS: Sequence[str]  # of the form that makes a move

    def summary(self, known: Any, seat: int) -> tuple[str, str]:
        """The question in a few words, and what the seat held, for headings and previews."""

    def position(self, known: Any, seat: int, seats: Sequence[Seat]) -> dict[str, Any]:
        """`t` and `o`: the table as this seat knew it, and what it held and could do."""

    def judged(self, state: Any, known: Any, seat: int, move: Any) -> ReplayMove:
        """A move the seat could make as the replay would show it; no time was taken for it.

        `state` has nothing hidden, `known` is what the seat knew of it.
        """

    def revealed(self, state: Any, seats: Sequence[Seat]) -> dict[str, Any]:
        """The table with nothing hidden."""
