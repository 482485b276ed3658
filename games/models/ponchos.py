"""What the players of a table wear: no two look the same."""

from __future__ import annotations

from collections.abc import Iterable

from accounts import avatars
from games.core import characters
from games.models.game import Seat


def dressed(seats: Iterable[Seat]) -> list[Seat]:
    """The seats of one table, each with a face and poncho of its own in `Seat.avatar`.

    Who has the same as another gets another poncho: the later seat, or the one that did not choose.
    """
    sitting = list(seats)
    if all(seat.worn is not None for seat in sitting):
        return sitting
    in_turn = sorted(sitting, key=lambda seat: (not _has_chosen(seat), seat.number))
    worn = avatars.apart(seat.avatar for seat in in_turn)
    for seat, own in zip(in_turn, worn, strict=True):
        seat.worn = own
    return sitting


def _has_chosen(seat: Seat) -> bool:
    """Whether its poncho belongs to it; that of a character does."""
    return bool(seat.user.cloth if seat.user is not None else characters.find(seat.bot))
