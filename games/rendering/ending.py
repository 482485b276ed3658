"""What the end of a game says in every game: for which of the winners a bot played at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext

from games.core.contract import Outcome
from games.models import Seat


def stood_in(
    seats: Sequence[Seat], views: Sequence[dict[str, Any]], ended: Outcome | None
) -> list[dict[str, Any]]:
    """Those of `views`, the seats of a screen, that won while a bot played for their person.

    Empty while the game runs: until then the person may come back.
    """
    return [views[seat] for seat in (ended.winners if ended else ()) if seats[seat].stood_in]


def narration(happened: str, stood_in: Sequence[dict[str, Any]]) -> str:
    """What happened last, and for which of the winners a bot played, for those who listen."""
    form = gettext("A bot played for %(name)s at the end.")
    return " ".join(filter(None, (happened, *(form % {"name": one["name"]} for one in stood_in))))
