"""The archive: once a game has been over for a while, its log is packed into one record."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from games.models import Game
from games.store import event_log

# The players may look at the last reveal, and open a replay, before the rows are deleted.
PACKED_AFTER: Final = timedelta(minutes=10)
_SET_ASIDE: Final = timedelta(days=1)

logger = logging.getLogger(__name__)


def waiting(*, now: datetime, most: int) -> list[str]:
    """The codes of games whose logs are to be packed by now, the longest waiting first."""
    due = Game.objects.filter(pack_at__lte=now).order_by("pack_at")
    return list(due.values_list("code", flat=True)[:most])


def pack(code: str, *, now: datetime) -> None:
    """Pack the log of one game; when that fails, try again after a day and log why."""
    try:
        _pack(code, now=now)
    except Exception:
        Game.objects.filter(code=code, pack_at__lte=now).update(pack_at=now + _SET_ASIDE)
        logger.exception("packing a log failed game=%s", code)


def _pack(code: str, *, now: datetime) -> None:
    with transaction.atomic():
        # The conditional update is the lock: of two packers the second finds nothing to do.
        mine = Game.objects.filter(code=code, status=Game.Status.FINISHED, pack_at__lte=now)
        if mine.update(pack_at=None):
            event_log.pack_rows(Game.objects.get(code=code))
