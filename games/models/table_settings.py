"""The settings of a table: all choices of its host, as one value that is copied as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Self

from games.models.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """Settings entered in a form, stored in a row of `Game`, and copied to the next table.

    A new setting needs a field here, a field of the same name in `Game`, and a field in a form.
    """

    kind_key: str  # of the game in the catalogue
    preset: str  # a key of the game's own
    options: Mapping[str, Any]  # of the rules, as JSON
    size: int  # seats
    turn_seconds: int | None  # None: no time limit
    tempo: str = ""  # a key of `play.tempo`; "": older than this setting
    chat: bool = True  # free text; quick phrases are always available
    show_odds: bool = False
    visibility: str = Game.Visibility.PUBLIC
    rated: bool = False  # requested: see `Game.rated`
    standing_id: int | None = None  # the key of its standing table

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the settings of a stored table."""
        # A process of the previous version stores no visibility.
        by_list = Game.Visibility.PUBLIC if game.listed else Game.Visibility.LINK
        return cls(
            visibility=game.visibility or by_list,
            **{name: getattr(game, name) for name in _SAME},
        )

    def columns(self) -> dict[str, object]:
        """Return the values of a new row, by field name."""
        return {
            "visibility": self.visibility,
            "listed": self.visibility == Game.Visibility.PUBLIC,
            **{name: getattr(self, name) for name in _SAME},
        }


# The fields that a row has under the same name, with the same values.
_SAME: Final = {field.name for field in fields(TableSettings)} - {"visibility"}
