"""A running game as copies of its rows, with the columns that one transaction changes in them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import transaction

from games import catalogue
from games.core.contract import Rules, Waiting
from games.models import Game, Seat
from games.play import alarm, announce, deadlines
from games.store import row_cache, statements
from games.store.event_log import PublicView, SomeoneWasFaster

_DEADLINES: Final = "opens_at turn_ends_at silence_ends_at due_at bots_due".split()


class GameDraft:
    """Rows that were read in this transaction or cached by this process, and may be stale.

    `save` finds that out before anything is changed. `game` and `seats` are copies: what `change`
    and `change_seat` put into them is what `save` writes, and no other column, since presence and
    the scheduler write theirs without counting. A `silent` one is not announced to screens.
    """

    def __init__(self, game: Game, seats: Sequence[Seat]) -> None:
        self.game = game
        self.seats = seats
        self.rules: Rules = catalogue.of(game.kind_key).rules
        self.silent = False
        self._columns: set[str] = set()
        self._seats: dict[int, Seat] = {}
        self._seat_columns: set[str] = set()

    def change(self, **columns: Any) -> None:
        """Give columns of the game these values."""
        for name, value in columns.items():
            setattr(self.game, name, value)
        self._columns.update(columns)

    def change_seat(self, number: int, **columns: Any) -> None:
        """Give columns of a seat these values."""
        seat = self._seats[number] = self.seats[number]
        for name, value in columns.items():
            setattr(seat, name, value)
        self._seat_columns.update(columns)

    def set_deadlines(self, known: PublicView, waiting: Waiting | None, *, now: datetime) -> None:
        """Let what the game waits for, where everybody knows so much, begin now."""
        deadlines.set_deadlines(self.game, self.seats, known, waiting, now=now)
        self._columns.update(_DEADLINES)

    def save(self, *, seq: int) -> None:
        """Advance the game to `seq`, under an optimistic lock on the `seq` that was read.

        SomeoneWasFaster if it has moved on. Other rows are written after this one only, so that two
        writers never wait for each other.
        """
        game, read = self.game, self.game.seq
        self.change(seq=seq)
        if self._seats:
            self.change(seats_seq=seq)
        written = {name: getattr(game, name) for name in sorted(self._columns)}
        if not statements.update(Game, written, where={"id": game.pk, "seq": read}):
            raise SomeoneWasFaster
        if self._seats:
            Seat.objects.bulk_update(self._seats.values(), sorted(self._seat_columns))
        transaction.on_commit(partial(row_cache.keep, game), robust=True)
        if "due_at" in written:
            alarm.set_on_commit(game.code, game.due_at)
        if not self.silent:
            announce.game_changed(game.code, seq)
