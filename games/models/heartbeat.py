"""The heartbeat of the schedulers: shows when any was last running, so downtime can be detected.

Every scheduler writes one row, so that processes know of each other: one that starts while others
run has missed nothing, and gives nothing back.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import models

# Written so often by every process that is healthy; an older heartbeat means that none ran.
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
    """How long the site was down, if this call ends the downtime: true for one of all processes.

    None: it was up, or another process ends the downtime. Negative: the heartbeat is from the
    future, so the system clock was put back meanwhile.
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
        # Another process was faster: it has ended the downtime, or knows nothing of it yet.
