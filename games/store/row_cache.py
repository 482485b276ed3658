"""A cache of the rows of games that have begun, and of their seats, as last read or written here.

Entries are versioned: a game by its `seq`, its seats by `seats_seq`, which counts every change of a
seat. A reader asks for the version it knows of or a later one, and a move is saved under an
optimistic lock on `seq` (see `play.transaction`), so a stale row does no harm.
"""

from __future__ import annotations

from math import inf
from time import monotonic

from games.models import Game, Seat
from games.store.versioned_lru import VersionedLRU

_games: VersionedLRU[Game] = VersionedLRU(most=2_000)
# When the seats were read, and the seats with their people.
_seats: VersionedLRU[tuple[float, list[Seat]]] = VersionedLRU(most=2_000)
_SEAT_FIELDS = (
    "game number user__username user__animal user__cloth "
    "bot asleep gone skips plays_on seen_at missed place live"
).split()


def keep(game: Game) -> None:
    """Cache a row as it is in the database; not of an open table, which changes without a move."""
    if game.status != Game.Status.OPEN:
        _games.keep(game.code, game.seq, game)


def cached_game(code: str) -> Game | None:
    """The cached row of a game that has begun; columns that can still change may be stale."""
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

    They are shared: change a copy. A person's name may change, or be deleted, without a change of a
    seat; it is at most `within` seconds old.
    """
    now = monotonic()
    number, (read, kept) = _seats.get(game.code) or (-1, (0.0, []))
    if number == game.seats_seq and now - read <= within:
        return kept
    found = list(game.seat_set.select_related("user").only(*_SEAT_FIELDS))
    if game.status != Game.Status.OPEN:  # until then `seats_seq` does not count
        _seats.keep(game.code, game.seats_seq, (now, found))
    return found
