"""A circuit breaker: after one request has waited in vain, those behind it fail at once.

Requests of a process queue up for its threads. If each waited as long as the first one, the last
would be answered after many times that.
"""

from __future__ import annotations

from threading import Lock
from typing import Final

# After this long without a failure the next one starts a new wait.
_RESET_AFTER_SECONDS: Final = 1.0


class CircuitBreaker:
    """Since when this process has failed, without a success between; thread-safe.

    All times are of time.monotonic.
    """

    def __init__(self) -> None:
        self._mutex = Lock()
        self._since: float | None = None
        self._last_failure = 0.0

    def __bool__(self) -> bool:
        return self._since is not None

    def is_open(self, *, now: float) -> bool:
        """Whether it has just failed, so that waiting is pointless."""
        with self._mutex:
            return self._since is not None and now - self._last_failure <= _RESET_AFTER_SECONDS

    def record_failure(self, *, now: float) -> float:
        """Record a failure at `now`; return when the first of the row was."""
        with self._mutex:
            if self._since is None or now - self._last_failure > _RESET_AFTER_SECONDS:
                self._since = now
            self._last_failure = now
            return self._since

    def reset(self) -> None:
        with self._mutex:
            self._since = None
