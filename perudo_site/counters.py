"""The cache that all processes share. It holds the counters of the rate limits and nothing else.

While Redis is away every process counts by itself, in its own memory: people get in and may talk,
and nobody may guess passwords without end.
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

from perudo_site.away import plainly

# A Redis that does not answer is not asked again before this, so that not everybody waits for it.
AWAY_SECONDS: Final = 1.0
CONNECTION: Final = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 0.5,
    "retry": Retry(NoBackoff(), 1),  # once: the connection may be from before a restart
}

logger = logging.getLogger(__name__)
_away_until = 0.0  # of this process; Django makes one cache for every thread


class SharedCounters(RedisCache):
    """Django's Redis cache, with this process's memory behind it."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = CONNECTION | params.get("OPTIONS", {})
        super().__init__(server, params | {"OPTIONS": options})
        self._meanwhile = LocMemCache("meanwhile", {})

    def _ask(self, how: str, *given: Any, **named: Any) -> Any:
        global _away_until
        if monotonic() >= _away_until:
            try:
                return getattr(super(), how)(*given, **named)
            except RedisError as away:
                _away_until = monotonic() + AWAY_SECONDS
                logger.warning("Redis is away, this process counts alone: %s", plainly(away))
        return getattr(self._meanwhile, how)(*given, **named)

    def ping(self) -> None:
        """Raises RedisError where this process would count alone."""
        self._cache.get_client().ping()

    def add(self, *given: Any, **named: Any) -> Any:
        return self._ask("add", *given, **named)

    def get(self, *given: Any, **named: Any) -> Any:
        return self._ask("get", *given, **named)

    def set(self, *given: Any, **named: Any) -> Any:
        return self._ask("set", *given, **named)

    def delete(self, *given: Any, **named: Any) -> Any:
        return self._ask("delete", *given, **named)

    def clear(self) -> Any:
        self._meanwhile.clear()
        return self._ask("clear")
