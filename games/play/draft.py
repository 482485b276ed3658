"""Draft of a running game: copies of its rows, and the columns that one transaction changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction

from games.contract import catalogue
from games.core.contract import Rules, Waiting
from games.models import Game, Seat
from games.play import alarm, announce, deadlines
from games.store import row_cache, statements
from games.store.event_log import PublicView, SomeoneWasFaster

_DEADLINES: Final = "opens_at turn_ends_at silence_ends_at due_at bots_due".split()


class GameDraft:
    """Copies of rows that were read in this transaction or cached by this process.

    They may be stale; `save` detects that before it changes anything. It writes only the columns
    set with `change` and `change_seat`, since presence and the scheduler write others without
    advancing `seq`. A `silent` draft is not announced to screens.
    """

    def __init__(self, game: Game, seats: Sequence[Seat]) -> None:
        self.game = game
        self.seats = seats
        self.rules: Rules = catalogue.of(game.kind_key).rules
        self.silent = False
        self._columns: set[str] = set()
        self._seats: dict[int, Seat] = {}
        self._seat_columns: set[str] = set()

    def change(self, **columns: object) -> None:
        """Set columns of the game."""
        for name, value in columns.items():
            setattr(self.game, name, value)
        self._columns.update(columns)

    def change_seat(self, number: int, **columns: object) -> None:
        """Set columns of a seat."""
        seat = self._seats[number] = self.seats[number]
        for name, value in columns.items():
            setattr(seat, name, value)
        self._seat_columns.update(columns)

    def set_deadlines(self, known: PublicView, waiting: Waiting | None, *, now: datetime) -> None:
        """Set the deadlines for a wait that begins now; `known` is what everybody knows."""
        deadlines.set_deadlines(self.game, self.seats, known, waiting, now=now)
        self._columns.update(_DEADLINES)

    def save(self, *, seq: int) -> None:
        """Write the draft and advance the game to `seq`, under an optimistic lock on the old `seq`.

        Raises SomeoneWasFaster if the game has moved on. Other rows are written only after this
        one, so that two writers never wait for each other.
        """
        game, read = self.game, self.game.seq
        self.change(seq=seq, failing_since=None)
        if self._seats:
            self.change(seats_seq=seq)
        if self._seat_columns & {"asleep", "gone"}:
            self._note_who_is_away(seq)
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

    def _note_who_is_away(self, seq: int) -> None:
        """Set since when a bot plays for these people, or that they are back."""
        for number, seat in self._seats.items():
            if not (seat.asleep or seat.gone):
                self.change_seat(number, away_seq=None)
            elif seat.away_seq is None:
                self.change_seat(number, away_seq=seq)
