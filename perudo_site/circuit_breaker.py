"""A circuit breaker: after one request has waited for the database in vain, others fail at once.

Requests of a process queue up for its threads. If each waited three seconds, the tenth would be
answered after half a minute (docs/decisions/0009-waiting-for-a-database.md).
"""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Final

_OPEN_SECONDS: Final = 1.0


class CircuitBreaker:
    """When this process last waited in vain; any thread may ask and say so."""

    def __init__(self) -> None:
        self._failed_at = -inf

    def is_open(self) -> bool:
        """Whether somebody has just waited in vain, so that to wait again is pointless."""
        return monotonic() - self._failed_at < _OPEN_SECONDS

    def record_failure(self) -> None:
        self._failed_at = monotonic()
