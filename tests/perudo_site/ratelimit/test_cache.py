"""The cache of the rate limits counts locally while Redis is unavailable."""

from __future__ import annotations

import pytest

from perudo_site.ratelimit import cache
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


def test_a_redis_that_can_only_be_read_gives_no_old_counters(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replica answers with the counters of before: a limit would begin anew at each of them."""
    counters = FallbackRedisCache(redis.url, {})
    counters.set("history", [], 60)
    monkeypatch.setattr(cache, "RETRY_AFTER_SECONDS", 0.0)
    with redis.replicating():
        for attempt in range(5):
            history = counters.get("history") or []
            assert len(history) == attempt
            counters.set("history", [*history, attempt], 60)
    counters.set("history", ["stored"], 60)
    assert FallbackRedisCache(redis.url, {}).get("history") == ["stored"]
