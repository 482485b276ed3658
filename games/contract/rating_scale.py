"""The scale of a game's ratings: numbers that `lab.tune_ratings` measures, kept beside the game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Self

# The unit: with two players and this luck, 400 points more win ten games of eleven, as in chess.
POINTS_OF_TWO: Final = 173.72


@dataclass(frozen=True, slots=True)
class RatingScale:
    """Strengths of one game in points; one scale for all numbers of seats.

    `start` and `doubt` are the mean and standard deviation of a new player's strength. `drift` is
    added to the doubt by each game, as strength changes. `luck` is the difference of strengths, by
    seats and sides (`key`), that makes finishing before another e times as likely. `bots` are the
    strengths of bots by kind, which never change. `luck_of_winners` are the same as `luck` for the
    first place alone, where more than two sides make it easier to predict than the whole order.
    """

    start: float
    doubt: float
    drift: float
    luck: Mapping[str, float]
    bots: Mapping[str, float]
    luck_of_winners: Mapping[str, float] = field(default_factory=dict)

    @staticmethod
    def key(seats: int, sides: int) -> str:
        """Return the key in `luck` of a table with this many seats, which form `sides` sides."""
        return str(seats) if sides == seats else f"{seats}/{sides}"

    def luck_at(self, seats: int, sides: int) -> float:
        """Return the luck at such a table; at one that was never measured, that of each alone."""
        return self.luck.get(self.key(seats, sides)) or self.luck[str(seats)]

    def winners_luck_at(self, seats: int, sides: int) -> float:
        """Return the luck of the first place at such a table."""
        measured = self.luck_of_winners.get(self.key(seats, sides))
        return measured or self.luck_at(seats, sides)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a scale from a JSON file. Raises TypeError for missing or unknown names."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def write(self, path: Path) -> None:
        """Write the scale as JSON, its numbers with one digit after the point."""

        def short(value: object) -> object:
            if isinstance(value, Mapping):
                return {name: short(each) for name, each in value.items()}
            return round(float(str(value)), 1)

        path.write_text(json.dumps(short(asdict(self)), indent=2) + "\n", encoding="utf-8")
