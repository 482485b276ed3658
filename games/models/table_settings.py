"""The settings of a table: all that its host chooses, as one value that is copied whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Self

from games.models.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What a form says, a row of `Game` stores, and the next table of the same people has again.

    A new setting is a field here, a field of the same name in `Game`, and one in a form.
    """

    kind_key: str  # of the game in the catalogue
    preset: str  # a key of the game's own
    options: Mapping[str, Any]  # of the rules, in JSON
    size: int  # seats
    turn_seconds: int | None  # None: no time limit
    tempo: str = ""  # a key of `play.tempo`; "": from before there was a choice
    chat: bool = True  # free text; quick phrases are always available
    show_odds: bool = False
    visibility: str = Game.Visibility.PUBLIC
    rated: bool = False  # a wish: see `Game.rated`
    standing_id: int | None = None  # the key of the standing table that it is a game of

    @classmethod
    def of(cls, game: Game) -> Self:
        """The settings of a stored table."""
        # A process of the version before stores no visibility.
        by_list = Game.Visibility.PUBLIC if game.listed else Game.Visibility.LINK
        return cls(
            visibility=game.visibility or by_list,
            **{name: getattr(game, name) for name in _SAME},
        )

    def columns(self) -> dict[str, Any]:
        """The values of a new row, by the names of its fields."""
        return {
            "visibility": self.visibility,
            "listed": self.visibility == Game.Visibility.PUBLIC,
            **{name: getattr(self, name) for name in _SAME},
        }


# The fields that a row has under the same name, with the same values.
_SAME: Final = {field.name for field in fields(TableSettings)} - {"visibility"}
