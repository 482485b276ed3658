"""Tests in one process that run on another database than the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connection, connections

from games.store import event_log, row_cache


@contextmanager
def used(settings: dict[str, Any]) -> Iterator[None]:
    """Within, everything in this thread asks this database instead of the tests' own."""
    own = connections["default"]
    complete = connections.configure_settings({"default": settings})
    connections.settings, before = complete, connections.settings
    del connections["default"]
    try:
        forget_what_was_read()
        yield
    finally:
        connection.close()
        connections.settings, connections["default"] = before, own
        forget_what_was_read()


def forget_what_was_read() -> None:
    ContentType.objects.clear_cache()
    for cache in (event_log._known, row_cache._games, row_cache._seats):
        cache.clear()
