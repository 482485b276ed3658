"""The heartbeat of the schedulers: shows when any was last running, so downtime can be detected.

Every scheduler writes one row, so that processes know of each other: one that starts while others
run has missed nothing, and grants no fresh time.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import models

# Written so often by every process that is healthy; an older heartbeat means that none ran.
BEAT_EVERY: Final = timedelta(milliseconds=500)
DOWN_AFTER: Final = timedelta(seconds=1)


class Hours(models.Model):
    """One row that the schedulers of all processes write while the site is up."""

    open_at = models.DateTimeField()

    class Meta:
        app_label = "games"

    def __str__(self) -> str:
        return f"open at {self.open_at}"


def beat(*, now: datetime) -> None:
    """Write the heartbeat."""
    Hours.objects.filter(pk=1).update(open_at=now)


def claim_reopening(*, now: datetime) -> bool:
    """Whether the site was down and this call ends the downtime; true for one of all processes.

    A heartbeat from the future means that the system clock was put back meanwhile.
    """
    while True:
        row, is_new = Hours.objects.get_or_create(pk=1, defaults={"open_at": now})
        if is_new:
            return True
        if abs(now - row.open_at) <= DOWN_AFTER:
            return False
        if Hours.objects.filter(pk=1, open_at=row.open_at).update(open_at=now):
            return True
        # Another process was faster: it has ended the downtime, or knows nothing of it yet.
