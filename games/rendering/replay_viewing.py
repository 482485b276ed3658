"""How somebody looks at a replay: whose hands, and which moves; it is part of the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from games.models import Game


@dataclass(frozen=True, slots=True)
class Viewing:
    """All hands and the moves of the round, unless `seat` and `only` say otherwise.

    `seat`: what this seat knew; `opened`: this one moment all the same with every hand. `only`: the
    decisions of this seat, of all rounds.
    """

    seat: int | None = None
    opened: bool = False
    only: int | None = None

    @property
    def sealed(self) -> int | None:
        """The seat through whose eyes this moment is seen; None when everything is open."""
        return None if self.opened else self.seat

    def query(self) -> str:
        """What follows the address of a moment: "?seat=2", or nothing.

        A moment is opened by itself, so the way to the others does not say so.
        """
        asked = {"seat": self.seat, "only": self.only}
        given = {key: value for key, value in asked.items() if value is not None}
        return f"?{urlencode(given)}" if given else ""

    def opening(self) -> str:
        """The same for this moment with every hand."""
        query = self.query()
        return f"{query}&open=1" if query else ""


def from_query(query: Mapping[str, str], game: Game) -> Viewing | None:
    """What an address asks for; None when nobody played on such a seat."""
    asked = [query.get(key) for key in ("seat", "only")]
    seats = game.seat_set.count() if any(asked) else 0  # the table may have had room for more
    seat, only = (_seat(text, seats) for text in asked)
    if seat == _NONE or only == _NONE:
        return None
    return Viewing(seat, seat is not None and query.get("open") == "1", only)


_NONE = -1


def _seat(text: str | None, seats: int) -> int | None:
    """The seat of this number; None where none is named, `_NONE` where there is none."""
    if text is None:
        return None
    return next((seat for seat in range(seats) if text == str(seat)), _NONE)
