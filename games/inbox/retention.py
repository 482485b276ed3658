"""What the site deletes by itself of inboxes, and when: a job of housekeeping."""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from games.inbox import kinds
from games.models import Game, InboxEntry

ENTRIES_FOR: Final = timedelta(days=30)

_AT_ONCE: Final = 500


def run(now: datetime, share: float) -> bool:
    """Delete old entries for about `share` seconds, and those of games that are over.

    Returns whether more is left. No page is told: what goes is no longer shown.
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
