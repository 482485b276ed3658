"""Presence: when a person last had the page of a table open, reported by its sockets.

It tells whether the host of an open table is away (`waiting_tables`), whether anybody watches a
game that only bots play (`abandoned`), who has to agree before such a game is skipped to its end
(`skip`), and who stayed after a game and may want the next one (`next_tables`).

The sockets of a table may be in any process, so the times are columns of the game and of the seat.
A process writes each of them at limited intervals, whatever the number of sockets, in separate
statements that do not change `seq`, so that no move becomes stale.
"""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Final

from django.db import OperationalError
from django.db.models import F, Q

from games.contract import catalogue
from games.models import Game, NextSeat, Seat
from games.play import late_notes, pausing
from games.store import event_log
from games.store.versioned_lru import VersionedLRU

GAME_EVERY: Final = timedelta(minutes=1)
SEAT_EVERY: Final = timedelta(seconds=20)
# People who have the page open for this long after the end of a game may want a rematch.
MATTERS_FOR: Final = timedelta(minutes=10)

# When this process last wrote for a game or a seat, in seconds of time.monotonic.
_written: VersionedLRU[None] = VersionedLRU(most=4_000)


def record(game: Game, number: int | None, *, user_id: int | None = None, now: datetime) -> None:
    """Record that a person has the page of this table open.

    `number`: their seat, if they have one. `user_id`: the person, if the page is in view. Times
    that were written recently are not written again. A write that the database refuses is ignored,
    so that the page stays open; the next heartbeat writes.
    """
    try:
        if game.status == Game.Status.OPEN and number is not None:
            _record_waiting(game, number, now=now)
        if user_id is not None and _is_about_to_end(game, now=now):
            _record_for_the_next(game, number, user_id, now=now)
        if game.status != Game.Status.PLAYING:
            return
        if _is_due(game.code, GAME_EVERY):
            # A time in the future was written before the system clock was put back.
            old = Q(watched_at=None) | Q(watched_at__lte=now - GAME_EVERY) | Q(watched_at__gt=now)
            running = Game.objects.filter(old, pk=game.pk, status=Game.Status.PLAYING)
            running.update(watched_at=now)
            _written.keep(game.code, monotonic(), None)
        if game.paused_at is not None and number is not None:
            pausing.look(game, now=now)
        elif number is not None and _is_due((game.code, number), SEAT_EVERY):
            _record_seat(game, number, now=now)
    except OperationalError:
        return


def _record_waiting(game: Game, number: int, *, now: datetime) -> None:
    """Record presence at an open table, for every seat, since one of them has to start the game."""
    key = (game.code, "open", number)
    if _is_due(key, SEAT_EVERY):
        seat = Seat.objects.filter(game=game, number=number, game__status=Game.Status.OPEN)
        seat.update(seen_at=now)
        _written.keep(key, monotonic(), None)


def _is_about_to_end(game: Game, *, now: datetime) -> bool:
    """Whether people on the page may soon want to play the next game."""
    if game.status == Game.Status.PLAYING:
        return True
    return game.finished_at is not None and now - game.finished_at < MATTERS_FOR


def _record_for_the_next(game: Game, number: int | None, user_id: int, *, now: datetime) -> None:
    """Record presence for the next table: of players after the end, and of those who ask before."""
    if not _is_due((game.code, "next", user_id), SEAT_EVERY):
        return
    came_back(game.code, user_id, now=now)
    _written.keep((game.code, "next", user_id), monotonic(), None)


def came_back(code: str, user_id: int, *, now: datetime) -> None:
    """Record that a page is in view again, if the person may play at the next table."""
    late_notes.forget((code, "away", user_id))
    _note(code, user_id, now)


def went_away(code: str, user_id: int, *, now: datetime) -> None:
    """Record that a page is no longer in view, so that the next table does not wait for them."""
    _written.forget((code, "next", user_id))  # so that a reloaded page reports at once
    late_notes.write(
        (code, "away", user_id),
        now=partial(_note, code, user_id, None),
        later=partial(_note, code, user_id, None, where=Q(seen_at__lte=now)),  # not back elsewhere
    )


def _note(code: str, user_id: int, at: datetime | None, *, where: Q | None = None) -> None:
    """Set `seen_at`; reads first, since there are rarely rows to set and reads take no lock."""
    at_the_end = Seat.objects.filter(game__code=code, game__status=Game.Status.FINISHED)
    for rows in (at_the_end, NextSeat.objects.filter(game__code=code)):
        noted = rows.filter(where or Q(), user=user_id)
        if keys := list(noted.values_list("pk", flat=True)):
            rows.model.objects.filter(pk__in=keys).update(seen_at=at)


def _record_seat(game: Game, number: int, *, now: datetime) -> None:
    """Record that the person watches, which matters only if they are out."""
    if number not in catalogue.of(game.kind_key).rules.in_play(event_log.public_state(game)):
        Seat.objects.filter(game=game, number=number).update(seen_at=now)
        _written.keep((game.code, number), monotonic(), None)


def _is_due(key: Hashable, every: timedelta) -> bool:
    last, _ = _written.get(key) or (None, None)
    return last is None or monotonic() - last >= every.total_seconds()


def give_back(*, lost: timedelta) -> None:
    """Shift all presence times by a downtime, in which nobody could be seen."""
    watched = Game.objects.filter(status=Game.Status.PLAYING)
    watched.update(watched_at=F("watched_at") + lost)
    here = Seat.objects.filter(live=True, user__isnull=False)
    here.update(seen_at=F("seen_at") + lost)
