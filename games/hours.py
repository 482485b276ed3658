"""Opening hours: when the house was last open, so that nobody pays for the time it was closed.

Every clock signs one row, so that processes know of each other: whoever comes back to a house that
others kept open has missed nothing, and hands out no time.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import models

# Signed so often by every process that is well; an older signature means nobody was.
SIGNED_EVERY: Final = timedelta(milliseconds=500)
CLOSED_AFTER: Final = timedelta(seconds=1)


class Hours(models.Model):
    """One row that the clocks of all processes sign while the house is open."""

    open_at = models.DateTimeField()

    class Meta:
        app_label = "games"

    def __str__(self) -> str:
        return f"open at {self.open_at}"


def sign(*, now: datetime) -> None:
    """The house is open."""
    Hours.objects.filter(pk=1).update(open_at=now)


def reopens(*, now: datetime) -> bool:
    """Whether the house was closed and opens by this very call: of several processes, by one.

    A signature from the future says that the clock on the wall was put back meanwhile.
    """
    row, is_new = Hours.objects.get_or_create(pk=1, defaults={"open_at": now})
    if is_new:
        return True
    if abs(now - row.open_at) <= CLOSED_AFTER:
        return False
    return bool(Hours.objects.filter(pk=1, open_at=row.open_at).update(open_at=now))
