"""The cache shared by all processes. It holds the counters of the rate limits, and
which reviews are being made.

While Redis is unavailable every process counts in its own memory: people can still sign in and
chat, and passwords cannot be guessed without limit.
"""

from __future__ import annotations

import logging
from time import monotonic
from typing import Any, Final

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from games.live.outage_handling import first_line

# After a failure Redis is not tried again for this long, so that not every request waits for it.
RETRY_AFTER_SECONDS: Final = 1.0
CONNECTION_OPTIONS: Final = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 0.5,
    "retry": Retry(NoBackoff(), 1),  # once: the connection may be from before a restart
}

logger = logging.getLogger(__name__)
_retry_at = 0.0  # by time.monotonic; per process, as Django makes one cache for every thread


class FallbackRedisCache(RedisCache):
    """Django's Redis cache, which falls back to this process's memory."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = CONNECTION_OPTIONS | params.get("OPTIONS", {})
        super().__init__(server, params | {"OPTIONS": options})
        self._fallback = LocMemCache("fallback", {})

    def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        global _retry_at
        if monotonic() >= _retry_at:
            try:
                return getattr(super(), method)(*args, **kwargs)
            except RedisError as error:
                _retry_at = monotonic() + RETRY_AFTER_SECONDS
                logger.warning(
                    "Redis unavailable, rate limits count per process error=%s", first_line(error)
                )
        return getattr(self._fallback, method)(*args, **kwargs)

    def ping(self) -> None:
        """Raise RedisError where this process would use its fallback."""
        self._cache.get_client().ping()

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("set", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("delete", *args, **kwargs)

    def clear(self) -> Any:
        self._fallback.clear()
        return self._call("clear")
