"""Heartbeat of the schedulers, for the detection of downtime.

All schedulers write the same row. A process that starts while others run therefore sees a recent
heartbeat, and gives no time back.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import models

# How often each healthy process writes; a heartbeat older than DOWN_AFTER means that none ran.
BEAT_EVERY: Final = timedelta(milliseconds=500)
DOWN_AFTER: Final = timedelta(seconds=1)


class Heartbeat(models.Model):
    """One row that the schedulers of all processes write while the site is up."""

    open_at = models.DateTimeField()

    class Meta:
        app_label = "games"
        db_table = "games_hours"

    def __str__(self) -> str:
        return f"open at {self.open_at}"


def beat(*, now: datetime) -> None:
    """Write the heartbeat."""
    Heartbeat.objects.filter(pk=1).update(open_at=now)


def claim_reopening(*, now: datetime) -> timedelta | None:
    """Claim the end of a downtime and return its length; only one process succeeds.

    Returns None if the site was up, or another process claimed it. A negative length means that the
    heartbeat is from the future, since the system clock was put back in the meantime.
    """
    while True:
        row, is_new = Heartbeat.objects.get_or_create(pk=1, defaults={"open_at": now})
        if is_new:
            return timedelta()
        down = now - row.open_at
        if abs(down) <= DOWN_AFTER:
            return None
        if Heartbeat.objects.filter(pk=1, open_at=row.open_at).update(open_at=now):
            return down
        # Another process was faster: it claimed the downtime, or has not detected it yet.
