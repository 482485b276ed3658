"""The cache of the rate limits counts locally while Redis is unavailable."""

from __future__ import annotations

import pytest

from perudo_site.ratelimit.cache import FallbackRedisCache
from tests.support.services import Redis


def test_without_redis_each_process_counts_for_itself(
    redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    counters = FallbackRedisCache(redis.url, {})
    assert counters.add("lock", True, timeout=5)
    assert not counters.add("lock", True, timeout=5)
    redis.stop()
    assert counters.add("lock", True, timeout=5)
    assert not counters.add("lock", True, timeout=5)
    counters.set("history", [1, 2], 60)
    assert counters.get("history") == [1, 2]
    assert len(caplog.records) == 1  # at most one a second
    assert "Redis unavailable" in caplog.text
