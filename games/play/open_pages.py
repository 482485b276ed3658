"""Tracks which users have the page of a table in view, in memory and across processes.

With one process this costs no query. With several, each process regularly writes when the players
of its sockets were last seen (`Seat.present_at`), since they do not share memory.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Final

from channels.layers import get_channel_layer
from django.db import OperationalError
from django.db.models import Q

from games.models import Game, Seat
from games.play import late_notes
from games.store.versioned_lru import VersionedLRU

# How often each process writes, and how long the others rely on it: one heartbeat longer.
WRITE_EVERY: Final = timedelta(seconds=20)
BELIEVED_FOR: Final = timedelta(seconds=50)
# A page without a socket sends a request every three seconds while it is in view.
LOOKS_WITHIN: Final = 8.0

# Keyed by the table's code and the user's id: pages in view; the last request, by time.monotonic.
_in_view: Counter[tuple[str, int]] = Counter()
_looked: VersionedLRU[None] = VersionedLRU(most=4_000)
_written: VersionedLRU[None] = VersionedLRU(most=4_000)


def opened(code: str, user_id: int) -> None:
    """Record that a page with a socket has come into view."""
    _in_view[code, user_id] += 1


def closed(code: str, user_id: int) -> None:
    """Record that a page with a socket was closed or hidden."""
    _in_view[code, user_id] -= 1
    if _in_view[code, user_id] <= 0:
        del _in_view[code, user_id]


def looked(code: str, user_id: int) -> None:
    """Record that a page without a socket has asked for changes."""
    _looked.keep((code, user_id), monotonic(), None)


def is_in_view(code: str, user_id: int) -> bool:
    """Whether this person has the page of this table in view, as far as this process knows."""
    if (code, user_id) in _in_view:
        return True
    last, _ = _looked.get((code, user_id)) or (None, None)
    return last is not None and monotonic() - last <= LOOKS_WITHIN


def is_elsewhere_in_view(code: str, user_id: int, *, now: datetime) -> bool:
    """Whether another process has this person's page of this table in view."""
    if not get_channel_layer().has_peers():
        return False
    # The other clock may be ahead of ours; a time far from now predates a change of the clocks.
    believed = Seat.objects.filter(
        present_at__gt=now - BELIEVED_FOR, present_at__lt=now + BELIEVED_FOR
    )
    return believed.filter(game__code=code, user=user_id).exists()


def tell_others(seat: Seat, code: str, *, now: datetime) -> None:
    """Write for other processes, if any, that a player has the page in view, every WRITE_EVERY."""
    key = (code, seat.number)
    last, _ = _written.get(key) or (None, None)
    if last is not None and monotonic() - last < WRITE_EVERY.total_seconds():
        return
    if get_channel_layer().has_peers():
        late_notes.forget(("left", seat.pk))
        with suppress(OperationalError):  # keep the page open: the next heartbeat writes
            Seat.objects.filter(pk=seat.pk).update(present_at=now)
            _written.keep(key, monotonic(), None)


def note_at_open_tables(user_id: int, *, since: datetime, now: datetime) -> None:
    """Write that a user has a page open, at their open tables last written before `since`."""
    rows = Seat.objects.filter(user=user_id, live=True, game__status=Game.Status.OPEN)
    rows = rows.filter(Q(present_at=None) | Q(present_at__lt=since))
    if rows.exists():  # a read takes no lock
        rows.update(present_at=now)


def tell_others_of_leaving(seat: Seat, code: str, *, now: datetime) -> None:
    """Write that a player has the page in view no longer, if other processes may assume it."""
    if seat.user_id is None or is_in_view(code, seat.user_id):
        return
    if get_channel_layer().has_peers():
        rows = Seat.objects.filter(pk=seat.pk)
        late_notes.write(
            ("left", seat.pk),
            now=partial(rows.update, present_at=None),
            later=partial(rows.filter(present_at__lte=now).update, present_at=None),
        )
        _written.forget((code, seat.number))


def forget_all() -> None:
    """Clear all recorded pages, for tests."""
    for known in (_in_view, _looked, _written):
        known.clear()
