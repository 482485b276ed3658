"""Rate limits per user and per client address, counted in the memory of this process.

They protect the process itself, so counting locally is right: a check costs some microseconds and
depends on no service. Limits over all processes (passwords tried, accounts created, chat messages)
are counted by allauth in the cache that processes share.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from throttled import MemoryStore, RateLimiterType, Throttled, per_min

from games.views.holder import client_address

__all__ = ["allow", "client_address", "reset"]

# Keys whose counts are kept; beyond that, the least recently seen starts again.
_MAX_KEYS: Final = 50_000


def allow(action: str, key: str, *, per_minute: int) -> bool:
    """Whether `key` (a user, an address, a connection) may do `action` now; counts it if so.

    Allows a burst of `per_minute`, and that many per minute from then on.
    """
    return not _limiter(per_minute).limit(f"{action} {key}").limited


def reset() -> None:
    """Forget all counts."""
    _limiter.cache_clear()


@cache
def _limiter(per_minute: int) -> Throttled:
    return Throttled(
        using=RateLimiterType.GCRA.value,
        quota=per_min(per_minute, burst=per_minute),
        store=MemoryStore(options={"MAX_SIZE": _MAX_KEYS}),
    )
