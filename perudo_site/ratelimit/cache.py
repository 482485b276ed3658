"""The cache shared by all processes, with the rate limit counters and the reviews in progress.

While Redis is unavailable every process counts in its own memory: people can still sign in and
chat, and guessing of passwords is still limited.
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

# Wait between attempts to reach Redis after a failure, so that not every request waits for it.
RETRY_AFTER_SECONDS: Final = 1.0
CONNECTION_OPTIONS: Final = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 0.5,
    "retry": Retry(NoBackoff(), 1),  # one retry: the connection may be older than a restart
}

logger = logging.getLogger(__name__)
# When to try Redis again, by time.monotonic; 0 while nothing fails. It is global to the process,
# since Django makes one cache per thread.
_retry_at = 0.0


class FallbackRedisCache(RedisCache):
    """Django's Redis cache, which falls back to this process's memory."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = CONNECTION_OPTIONS | params.get("OPTIONS", {})
        super().__init__(server, params | {"OPTIONS": options})
        self._fallback = LocMemCache("fallback", {})

    def _call(self, method: str, *args: object, **kwargs: object) -> object:
        global _retry_at
        if monotonic() >= _retry_at:
            try:
                if _retry_at:
                    self.try_to_write()  # a read-only replica would return old counters
                answer = getattr(super(), method)(*args, **kwargs)
                _retry_at = 0.0
                return answer
            except RedisError as error:
                _retry_at = monotonic() + RETRY_AFTER_SECONDS
                self._drop_connections()
                logger.warning(
                    "Redis unavailable, rate limits count per process error=%s", first_line(error)
                )
        return getattr(self._fallback, method)(*args, **kwargs)

    def try_to_write(self) -> None:
        """Raise RedisError if this process would use its fallback.

        It writes, because a read-only replica answers PING and other read commands.
        """
        try:
            self._cache.get_client(None, write=True).set(self.make_key("ready"), 1, px=1000)
        except RedisError:
            self._drop_connections()
            raise

    def _drop_connections(self) -> None:
        """Force a new connection: a server that refuses writes may have become a replica."""
        self._cache.get_client(None, write=True).connection_pool.disconnect()

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("add", *args, **kwargs)

    def get(self, *args: object, **kwargs: object) -> object:
        return self._call("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("set", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("delete", *args, **kwargs)

    def clear(self) -> Any:
        self._fallback.clear()
        return self._call("clear")
