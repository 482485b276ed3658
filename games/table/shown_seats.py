"""The players at the seats of a table or a replay, as all games show them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from games.contract.shown import Player
from games.models import Seat
from games.models.ponchos import dressed


def at_table(seats: Sequence[Seat], names: Iterable[str] | None = None) -> list[Player]:
    """The players of a table, as their seats are now; `names`, if the caller has them already."""
    names = names or [seat.name for seat in seats]
    seats = dressed(seats)
    return [_player(seat, name) for seat, name in zip(seats, names, strict=True)]


def as_then(seats: Iterable[Seat], *, gone: Container[int]) -> list[Player]:
    """The players at a moment of a finished game, in which the seats in `gone` had left.

    The rows of the seats have their status at the game's end. People without a page any more are
    not linked.
    """
    return [_as_then(seat, gone=seat.number in gone) for seat in dressed(seats)]


def _player(seat: Seat, name: str) -> Player:
    return {
        "number": seat.number,
        "name": name,
        "username": None if seat.user is None else seat.user.get_username(),
        "avatar": seat.avatar,
        "is_bot": bool(seat.bot),
        "bot": seat.bot,
        "asleep": seat.asleep,
        "away": seat.missed > 0,
        "gone": seat.gone,
        "stood_in": seat.stood_in,
    }


def _as_then(seat: Seat, *, gone: bool) -> Player:
    player: Player = {**_player(seat, seat.name), "gone": gone, "asleep": False, "away": False}
    has_page = seat.user is not None and seat.user.is_active
    return player if has_page else {**player, "username": None}
