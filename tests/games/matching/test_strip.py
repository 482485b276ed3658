"""What the strip of a search says of the others."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from accounts.models import User
from games.matching import services, strip

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Ben"], "Ben"),
        (["Ben", "Cleo", "Dan"], "Ben, Cleo, Dan"),
        (["Ben", "Cleo", "Maximilian-Marce-001"], "Ben, Cleo +1"),
        ([f"Maximilian-Marce-{number:03}" for number in range(4)], "Maximilian-Marce-000 +3"),
    ],
)
def test_it_names_as_many_as_fit_and_counts_the_others(
    alice: User, names: list[str], said: str
) -> None:
    services.press(alice, holder="alice", now=NOW)
    for name in names:
        services.press(User.objects.create_user(name), holder=name, now=NOW)
    shown = strip.shown(alice.pk)
    assert (shown["state"], shown["who"]) == ("asked", said)
