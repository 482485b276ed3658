"""An evening by a clock of its own: who plays meanwhile meets people, and no ghost is seated."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.models import Game, Search
from lab import evening

pytestmark = pytest.mark.django_db


def test_who_plays_while_they_wait_meets_somebody_and_no_ghost_is_seated() -> None:
    found = evening.Evening(6, hours=3, patience=evening.PLAYING, seed=3).run()
    assert found.arrived > 10
    assert found.share >= 0.6
    assert found.ghosts == 0
    assert found.median_wait < timedelta(minutes=5).total_seconds()
    assert not Search.objects.filter(state__in=("waiting", "asked", "ready")).exists()
    assert not Game.objects.filter(origin="quick", status="open").exists()


def test_who_only_waits_gives_up_before_anybody_comes() -> None:
    idle = evening.Evening(6, hours=3, patience=evening.IDLE, seed=3).run()
    assert idle.share < 0.3 and idle.ghosts == 0
