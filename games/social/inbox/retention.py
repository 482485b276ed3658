"""A job of housekeeping that deletes old inbox entries."""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from games.models import Game, InboxEntry
from games.social.inbox import kinds

ENTRIES_FOR: Final = timedelta(days=30)

_AT_ONCE: Final = 500


def run(now: datetime, share: float) -> bool:
    """Delete old entries, and those of games that are over, for about `share` seconds.

    Returns whether more is left. Nothing is announced: pages don't show these entries any more.
    """
    until = monotonic() + share
    over = Game.objects.exclude(status=Game.Status.PLAYING).values("code")
    for gone in (
        InboxEntry.objects.filter(created_at__lt=now - ENTRIES_FOR),
        InboxEntry.objects.filter(kind__in=(kinds.TURN, kinds.STARTED), about__in=over),
    ):
        while batch := list(gone.values_list("pk", flat=True)[:_AT_ONCE]):
            if monotonic() >= until:
                return True
            InboxEntry.objects.filter(pk__in=batch).delete()
    return False
