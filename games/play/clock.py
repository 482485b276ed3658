"""Scheduler clock: time that ignores changes of the system clock, and detection of downtime.

Between two readings of the system clock only the monotonic clock counts, which nobody can set. A
change of the system clock is treated like a downtime, because older deadlines no longer fit it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.utils import timezone

# If nothing ran for longer than this, or the system clock was set by more than this, people may
# have missed their turn through no fault of their own. Time synchronisation, which slews, stays far
# below it.
STANDSTILL: Final = timedelta(seconds=1.5)
# A move may be in progress for this long, for example through an outage of the database.
LATE_MOVES_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Downtime:
    """A time in which the site was down; `lost` is negative if the system clock was put back."""

    ended: datetime
    lost: timedelta


class Clock:
    """The time of one process, from a system clock `wall` and a monotonic clock `passed` (s)."""

    def __init__(
        self, *, wall: Callable[[], datetime] | None = None, passed: Callable[[], float] = monotonic
    ) -> None:
        self._wall = wall or (lambda: timezone.now())
        self._passed = passed
        self._read, self._read_at = self._wall(), passed()
        self._ran: datetime | None = None  # when everything due had last run
        self._ran_at = 0.0
        self._downtime: Downtime | None = None
        self._downtime_at = 0.0

    def now(self) -> datetime:
        """Return the last reading of the system clock plus the monotonic time since then."""
        return self._read + timedelta(seconds=self._passed() - self._read_at)

    def read(self) -> datetime:
        """Read the system clock, from which `now` counts on."""
        self._read, self._read_at = self._wall(), self._passed()
        return self._read

    @property
    def is_new(self) -> bool:
        """Whether this process has not completed a tick yet; it may have missed anything."""
        return self._ran is None

    def was_set(self) -> bool:
        """Whether the system clock was set by more than STANDSTILL since it was read."""
        return abs(self._wall() - self.now()) > STANDSTILL

    def has_missed(self) -> bool:
        """Whether this process stood still, has just started, or its system clock was set."""
        stood_still = self._passed() - self._ran_at > STANDSTILL.total_seconds()
        return self.is_new or stood_still or self.was_set()

    def note_run(self) -> None:
        """Record that everything due by now has run."""
        self._ran, self._ran_at = self.now(), self._passed()

    def note_downtime(self, lost: timedelta | None) -> None:
        """Record the end of a downtime.

        `lost`: the time in which no process ran; None: other processes were up, and the time since
        this process last ran counts.
        """
        if lost is None and self._ran is not None:
            lost = self.now() - self._ran
        if lost is not None:
            self._downtime, self._downtime_at = Downtime(self.now(), lost), self._passed()

    @property
    def downtime(self) -> Downtime | None:
        """The latest downtime, or None once no move from before it can still arrive."""
        return self._downtime if self._passed() - self._downtime_at < LATE_MOVES_SECONDS else None
