"""Games that have begun, as this process last read or wrote their rows: it spares reading again.

What is kept is as of a number: a game by its `seq`, its seats by `seats_seq`, which counts every
change of a seat. Nobody asks for less than the number he knows of, so nothing old is taken for
true; and what a move changes is claimed in the database by that number (see `step`).
"""

from __future__ import annotations

from math import inf
from time import monotonic

from games.models import Game, Seat
from games.newest import Newest

_games: Newest[Game] = Newest(most=2_000)
# When the seats were read, and the seats with their people.
_seats: Newest[tuple[float, list[Seat]]] = Newest(most=2_000)
_SEAT_FIELDS = "game number user__username bot asleep gone skips seen_at missed place live".split()


def keep(game: Game) -> None:
    """Remember a row as it is in the database; a game that has not begun changes without us."""
    if game.status != Game.Status.OPEN:
        _games.keep(game.code, game.seq, game)


def begun(code: str) -> Game | None:
    """A game that this process knows has begun; old in all but what never changes after that."""
    kept = _games.get(code)
    return kept and kept[1]


def game_at(code: str, seq: int) -> Game:
    """The game as it stands at `seq` or later; Game.DoesNotExist."""
    kept = _games.get(code)
    if kept is not None and kept[0] >= seq:
        return kept[1]
    game = Game.objects.get(code=code)
    keep(game)
    return game


def seats(game: Game, *, within: float = inf) -> list[Seat]:
    """The seats of a game that has begun, by number, with their people.

    They are shared: who changes one changes a copy. A person's name may change, or go, without a
    change of a seat; it is at most `within` seconds old.
    """
    now = monotonic()
    number, (read, kept) = _seats.get(game.code) or (-1, (0.0, []))
    if number == game.seats_seq and now - read <= within:
        return kept
    found = list(game.seat_set.select_related("user").only(*_SEAT_FIELDS))
    if game.status != Game.Status.OPEN:  # until then people come and go uncounted
        _seats.keep(game.code, game.seats_seq, (now, found))
    return found
