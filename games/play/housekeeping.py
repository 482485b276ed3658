"""Housekeeping: what no deadline of a game brings about; the scheduler runs it every few seconds.

Every process does, and each change is conditional, so that of two processes one makes it.
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

# A game in which something fails is tried again after this, so that it cannot stop the others.
SET_ASIDE: Final = timedelta(minutes=1)

Status = Game.Status
logger = logging.getLogger(__name__)


def run(*, now: datetime) -> None:
    """Do everything that is to be done now; without anything to do it reads a few rows."""
    give_deadlines(now=now)
    waiting_tables.name_acting_hosts(now=now)


def give_deadlines(*, now: datetime) -> None:
    """Give every table that is not over a deadline where it has none.

    Without one the scheduler would never look at it: it would be open, or running, for ever. Such
    rows are from versions in which a turn without a time limit had none. One whose clock still runs
    on the screens is seen when that is over.
    """
    overlooked = Game.objects.filter(status__in=(Status.OPEN, Status.PLAYING), due_at=None)
    overlooked = overlooked.exclude(turn_ends_at__gt=now)
    for code, status in list(overlooked.values_list("code", "status")):
        later = partial(commands.set_aside, code, now=now, until=now + SET_ASIDE)
        with (
            failing_alone(logger, "setting a deadline failed game=%s", code, otherwise=later),
            suppress(Refused),  # somebody plays there, and so sets a deadline
        ):
            if status == Status.OPEN:
                waiting_tables.give_closing_time(code, now=now)
            else:
                commands.give_back(code, lost=timedelta(), now=now, overlooked=True)
