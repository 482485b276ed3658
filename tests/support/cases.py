"""What a test of many cases needs so that no case meets what another one left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.fixtures import forget_everything, rolled_back


@contextmanager
def untouched() -> Iterator[None]:
    """One case: it begins with empty caches, and what it writes is rolled back."""
    forget_everything()
    with rolled_back():
        yield
