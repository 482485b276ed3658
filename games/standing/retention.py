"""What the site deletes by itself about standing tables: whose address they counted for."""

from __future__ import annotations

from datetime import datetime

from games.models import StandingTable
from games.standing import services


def run(now: datetime, share: float) -> bool:
    """Forget the codes of addresses that are no longer counted; a job, and nothing is ever left."""
    counted = StandingTable.objects.exclude(holder="")
    counted.filter(created_at__lte=now - services.COUNTED_FOR).update(holder="")
    return False
