"""Periodic repairs that no game deadline triggers; the scheduler runs them every few seconds.

Every process runs them. Each change is a conditional update, so only one process makes it.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from games.errors import Refused
from games.models import Game
from games.play import commands, waiting_tables
from games.play.jobs import failing_alone

# A game that fails is retried after this time, so that it cannot block the others.
SET_ASIDE: Final = timedelta(minutes=1)

Status = Game.Status
logger = logging.getLogger(__name__)


def run(*, now: datetime) -> None:
    """Make all pending changes; if there are none, this only reads a few rows."""
    give_deadlines(now=now)
    waiting_tables.name_acting_hosts(now=now)


def give_deadlines(*, now: datetime) -> None:
    """Set a deadline for open and running tables that have none.

    Without a deadline the scheduler would never look at a table, which would stay open or running
    forever. Such rows come from versions in which a turn without a time limit had no deadline. A
    table whose clock still runs on the screens is handled after that.
    """
    overlooked = Game.objects.filter(status__in=(Status.OPEN, Status.PLAYING), due_at=None)
    overlooked = overlooked.exclude(turn_ends_at__gt=now)
    for code, status in list(overlooked.values_list("code", "status")):
        later = partial(commands.set_aside, code, now=now, until=now + SET_ASIDE)
        with (
            failing_alone(logger, "setting a deadline failed game=%s", code, otherwise=later),
            suppress(Refused),  # a move was faster, and has set a deadline
        ):
            if status == Status.OPEN:
                waiting_tables.give_closing_time(code, now=now)
            else:
                commands.give_back(code, lost=timedelta(), now=now, overlooked=True)
