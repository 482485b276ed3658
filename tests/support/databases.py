"""Tests in one process that run on another database than the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connection, connections

from games.store import event_log, row_cache


@contextmanager
def using_database(settings: dict[str, Any]) -> Iterator[None]:
    """Within, everything in this thread asks this database instead of the tests' own."""
    own = connections["default"]
    complete = connections.configure_settings({"default": settings})
    connections.settings, before = complete, connections.settings
    del connections["default"]
    try:
        clear_caches()
        yield
    finally:
        connection.close()
        connections.settings, connections["default"] = before, own
        clear_caches()


def clear_caches() -> None:
    ContentType.objects.clear_cache()
    for cache in (event_log._known, row_cache._games, row_cache._seats):
        cache.clear()
