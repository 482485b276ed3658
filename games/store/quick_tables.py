"""Number of people waiting at open quick tables, for public pages."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from games.contract import catalogue
from games.store import here


def people_in_line(*, now: datetime, but: int | None = None) -> dict[str, int]:
    """Return how many present people wait, by game key; people who accept any game count in each.

    They wait alone or during a countdown, so they will play soon. `but`: the id of a user who is
    not counted.
    """
    waiting = here.in_line(now=now).exclude(pk=but)
    by_choice = Counter(waiting.order_by().values_list("choice", flat=True))
    return {kind.key: by_choice[kind.key] + by_choice[""] for kind in catalogue.every()}
