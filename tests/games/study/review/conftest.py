"""A worker at a test's command, and nothing under way from the test before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from games.play import worker
from games.study.review import reviews
from tests.games.study.review.desk import Desk


@pytest.fixture(autouse=True)
def _nothing_under_way() -> Iterator[None]:
    """Not from a test elsewhere, either: games of two tests have the same keys."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    cache.clear()
    reviews._under_way.clear()
    reviews._failed.clear()
    worker.results._ready.clear()


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()
    monkeypatch.setattr(worker, "ask", desk.ask)
    monkeypatch.setattr(worker, "is_idle", lambda: desk.is_idle)
    return desk
