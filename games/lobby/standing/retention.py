"""A job that deletes the hashed addresses for which standing tables were counted."""

from __future__ import annotations

from datetime import datetime

from games.lobby.standing import ownership
from games.models import StandingTable


def run(now: datetime, share: float) -> bool:
    """Clear the holders that are no longer counted. Returns False, as nothing is ever left."""
    counted = StandingTable.objects.exclude(holder="")
    counted.filter(created_at__lte=now - ownership.COUNTED_FOR).update(holder="")
    return False
