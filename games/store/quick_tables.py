"""How many people wait at open quick tables, for pages that everybody sees."""

from __future__ import annotations

from collections import Counter

from games import catalogue
from games.models import IN_LINE, Game, Search


def people_in_line() -> dict[str, int]:
    """How many wait by the key of a game; who takes any game counts in each.

    They wait together with nobody or for a countdown: in a moment they play.
    """
    waiting = Search.objects.filter(state__in=IN_LINE, table__status=Game.Status.OPEN)
    by_choice = Counter(waiting.order_by().values_list("choice", flat=True))
    return {kind.key: by_choice[kind.key] + by_choice[""] for kind in catalogue.every()}
