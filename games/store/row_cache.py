"""Cache of the rows of games that have begun and of their seats, as last read or written here.

A game is versioned by its `seq`, its seats by `seats_seq`, which changes with every change of a
seat. Readers ask for a known version or a later one, and moves are saved under an optimistic lock
on `seq` (see `play.transaction`), so stale rows are harmless.
"""

from __future__ import annotations

from math import inf
from time import monotonic

from games.models import Game, Seat
from games.models.ponchos import dressed
from games.store.versioned_lru import VersionedLRU

_games: VersionedLRU[Game] = VersionedLRU(most=2_000)
# The time at which the seats were read, and the seats with their users.
_seats: VersionedLRU[tuple[float, list[Seat]]] = VersionedLRU(most=2_000)
_SEAT_FIELDS = (
    "game number user__username user__animal user__cloth user__is_guest "
    "bot asleep gone away_seq skips plays_on seen_at missed place live"
).split()


def keep(game: Game) -> None:
    """Cache a row as stored in the database, except of open tables, which change without moves."""
    if game.status != Game.Status.OPEN:
        _games.keep(game.code, game.seq, game)


def cached_game(code: str) -> Game | None:
    """Return the cached row of a game that has begun, or None; its columns may be stale."""
    kept = _games.get(code)
    return kept and kept[1]


def game_at(code: str, seq: int) -> Game:
    """Return the game at version `seq` or later. Raises Game.DoesNotExist."""
    kept = _games.get(code)
    if kept is not None and kept[0] >= seq:
        return kept[1]
    game = Game.objects.get(code=code)
    keep(game)
    return game


def seats(game: Game, *, within: float = inf) -> list[Seat]:
    """Return the seats of a game that has begun, by number, with their users.

    The list is shared, so change only copies. Names of users can change or be deleted without a
    change of the seat; they are at most `within` seconds old.
    """
    now = monotonic()
    number, (read, kept) = _seats.get(game.code) or (-1, (0.0, []))
    if number == game.seats_seq and now - read <= within:
        return kept
    found = dressed(game.seat_set.select_related("user").only(*_SEAT_FIELDS))
    if game.status != Game.Status.OPEN:  # until then `seats_seq` does not count
        _seats.keep(game.code, game.seats_seq, (now, found))
    return found
