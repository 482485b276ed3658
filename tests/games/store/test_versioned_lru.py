"""The versioned cache: the newest version stays, the least recently stored key goes."""

from __future__ import annotations

from games.store import versioned_lru
from games.store.versioned_lru import VersionedLRU


def test_a_value_with_an_older_version_is_ignored() -> None:
    cache: VersionedLRU[str] = VersionedLRU(most=2)
    cache.keep("key", 5, "new")
    cache.keep("key", 4, "old")
    assert cache.get("key") == (5, "new")


def test_the_least_recently_stored_key_is_removed() -> None:
    cache: VersionedLRU[str] = VersionedLRU(most=2)
    for key in ("a", "b", "a", "c"):
        cache.keep(key, 1, key)
    assert "a" in cache and "c" in cache and "b" not in cache


def test_all_caches_are_emptied_together() -> None:
    caches: list[VersionedLRU[int]] = [VersionedLRU(most=2, name=name) for name in ("a", "b")]
    for cache in caches:
        cache.keep("key", 1, 1)
    assert repr(caches[0]) == "<VersionedLRU a 1/2>"
    versioned_lru.clear_all()
    assert [len(cache) for cache in caches] == [0, 0]
