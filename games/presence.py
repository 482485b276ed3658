"""Presence: when a person was last seen at a running game, signed by the sockets of its page.

A game that only bots play goes on while somebody watches it (see `abandoned`). The sockets of a
table may be in any process, so the time is a column of the game. Each process writes it at most
once a minute for each game, whatever the number of spectators, in a statement of its own that
does not touch `seq`: no move becomes stale by it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.db import OperationalError
from django.db.models import Q

from games.models import Game
from games.newest import Newest

SIGNED_EVERY: Final = timedelta(minutes=1)

# When this process last signed for a game, in seconds of time.monotonic.
_signed: Newest[None] = Newest(most=2_000)


def sign(game: Game, *, now: datetime) -> None:
    """Note that a person has the page of this game open; not more often than needed.

    A database that cannot be written to now is no reason to close a page: the next look signs.
    """
    if game.status != Game.Status.PLAYING:
        return
    last, _ = _signed.get(game.code) or (0.0, None)
    if last and monotonic() - last < SIGNED_EVERY.total_seconds():
        return
    # A time in the future is from before a clock was put back.
    old = Q(watched_at=None) | Q(watched_at__lte=now - SIGNED_EVERY) | Q(watched_at__gt=now)
    try:
        Game.objects.filter(old, pk=game.pk, status=Game.Status.PLAYING).update(watched_at=now)
    except OperationalError:
        return
    _signed.keep(game.code, monotonic(), None)


def forgive(*, now: datetime) -> None:
    """Nobody could watch while the site was down: every running game counts as just watched."""
    running = Game.objects.filter(status=Game.Status.PLAYING, due_at__isnull=False)
    running.update(watched_at=now)
