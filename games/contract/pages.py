"""Protocols of the pages that each game must provide: its forms, its rules and its tutorial."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from accounts.requests import AnyUser
    from games.models import TableSettings


class TableForm(Protocol):
    """Form for a new table: the general form of the site with the fields of this game."""

    @property
    def errors(self) -> Mapping[str, Any]:
        """The errors by field."""

    def is_valid(self) -> bool: ...

    def add_error(self, field: str | None, error: Any) -> None: ...

    def table_settings(self) -> TableSettings:
        """Return the valid form as the settings of a table."""

    def show(self, table: TableSettings) -> None:
        """Show these settings in an unbound form."""


class Forms(Protocol):
    """Forms and presets for the choices before a game."""

    @property
    def NEW_TABLE(self) -> Callable[..., TableForm]:
        """Creates the form from `data` or `initial`."""

    QUICK_PLAY: Mapping[str, Any]  # `preset` and `options` of a table that starts at once


class RulesPage(Protocol):
    """Page that explains the rules, from the template `<key>/rules.html`.

    The form of a new table links to its element with the id `rule-sets`.
    """

    def context(self) -> dict[str, Any]:
        """Return the template context besides `key`, `name` and `turn_seconds`, in the active
        language; `key` is for the URLs of the game's other pages.
        """


class Tutorial(Protocol):
    """Tutorial of small steps, each with a position and a question; nothing is stored.

    The templates are `<key>/learn.html` (first page), `learned.html` (last page), and in a step
    `_table.html` and `_lesson_own.html`. All receive `key`, for the URLs of the game's pages.
    """

    FIELDS: Sequence[str]  # of the form that makes a move

    def titles(self) -> Sequence[str]:
        """Return the title of each step, in the active language."""

    def step(self, number: int, move: Mapping[str, str] | None, *, user: AnyUser) -> dict[str, Any]:
        """Return the context of the step `number`, from 1: its question, or the answer to `move`.

        `title`, `lead` and `ask` are the texts of the question, `show` the fields of a right move,
        `me` the name of the learner (`user`, or a guest), `narration` the latest event. `verdict`
        is "right", "other" or "refused", and `reply` its text; both are None without a move. Other
        values are for the templates of the game.
        """
