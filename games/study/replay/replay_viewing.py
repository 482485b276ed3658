"""The view of a replay, as part of its address: whose hands are shown, and which moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from games.models import Game


@dataclass(frozen=True, slots=True)
class Viewing:
    """A view of a replay: by default all hands and the moves of the round.

    `seat` shows only what this seat knew; `opened` shows all hands at this one moment all the same.
    `only` lists the decisions of this seat in all rounds.
    """

    seat: int | None = None
    opened: bool = False
    only: int | None = None

    @property
    def sealed(self) -> int | None:
        """The seat whose knowledge limits this moment; None if all hands are shown."""
        return None if self.opened else self.seat

    def query(self) -> str:
        """The query string of a moment's address, such as "?seat=2"; or "".

        It never has `open`, because hands are opened for one moment and not for the others.
        """
        asked = {"seat": self.seat, "only": self.only}
        given = {key: value for key, value in asked.items() if value is not None}
        return f"?{urlencode(given)}" if given else ""

    def opening(self) -> str:
        """The query string that shows this moment with all hands; "" if it does anyway."""
        query = self.query()
        return f"{query}&open=1" if query else ""


def from_query(query: Mapping[str, str], game: Game) -> Viewing | None:
    """The view that a query asks for; None if it names a seat that does not exist."""
    asked = [query.get(key) for key in ("seat", "only")]
    seats = game.seat_set.count() if any(asked) else 0  # the table may have had room for more
    seat, only = (_seat(text, seats) for text in asked)
    if seat == _NONE or only == _NONE:
        return None
    return Viewing(seat, seat is not None and query.get("open") == "1", only)


_NONE = -1


def _seat(text: str | None, seats: int) -> int | None:
    """The seat number in a text; None without a text, `_NONE` if there is no such seat."""
    if text is None:
        return None
    return next((seat for seat in range(seats) if text == str(seat)), _NONE)
