"""A circuit breaker: after one request has timed out on the database, others fail at once.

The requests of a process queue for its threads. If each waited three seconds, the tenth would get
its response after half a minute (docs/decisions/0009-waiting-for-a-database.md).
"""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Final

_OPEN_SECONDS: Final = 1.0


class CircuitBreaker:
    """The time of this process's last database timeout; usable by all threads."""

    def __init__(self) -> None:
        self._failed_at = -inf

    def is_open(self) -> bool:
        """Whether a wait has just timed out, so that another wait is pointless."""
        return monotonic() - self._failed_at < _OPEN_SECONDS

    def record_failure(self) -> None:
        self._failed_at = monotonic()
