"""The clock: one loop a process that does what is due, one overdue game at a time."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.utils import timezone

from games import lobby, play
from games.models import Game
from games.refusal import Refused

TICK_SECONDS = 0.1
# A game whose step fails is looked at again after this, so that it cannot stop the others.
_SET_ASIDE = timedelta(minutes=1)
_BATCH = 50

Status = Game.Status
logger = logging.getLogger(__name__)
_running: asyncio.Task[None] | None = None


def wind() -> None:
    """Start the clock of this process, once, in the running event loop."""
    global _running
    if _running is None or _running.done():
        _running = asyncio.get_running_loop().create_task(_run(), name="clock")


async def _run() -> None:
    await database_sync_to_async(forgive)(now=timezone.now())
    while True:
        try:
            for code in await database_sync_to_async(overdue)(now=timezone.now()):
                await database_sync_to_async(wake_one)(code, now=timezone.now())
        except Exception:
            logger.exception("the clock skipped a beat")
        await asyncio.sleep(TICK_SECONDS)


def forgive(*, now: datetime) -> None:
    """The house was closed: everything that waits for people gets its whole time again.

    The clock punishes players, never the house's own downtime.
    """
    try:
        lobby.forgive(now=now)
        running = Game.objects.filter(status=Status.PLAYING, turn_ends_at__isnull=False)
        codes = list(running.values_list("code", flat=True))
    except DatabaseError:
        logger.exception("nobody is forgiven")
        return
    for code in codes:
        try:
            play.forgive(code, now=now)
        except Refused:  # somebody plays there already
            continue
        except Exception:
            logger.exception("game %s is not forgiven", code)


def overdue(*, now: datetime) -> list[str]:
    """The codes of the games in which something is due, the longest overdue first."""
    alive = Game.objects.filter(status__in=(Status.OPEN, Status.PLAYING))
    due = alive.filter(due_at__lte=now).order_by("due_at")
    return list(due.values_list("code", flat=True)[:_BATCH])


def wake_one(code: str, *, now: datetime) -> None:
    """Do what is due in one game; when that fails, put the game aside before saying so."""
    try:
        if Game.objects.filter(code=code, status=Status.OPEN).exists():
            lobby.close_abandoned(code, now=now)
        else:
            play.wake(code, now=now)
    except Refused:  # others were faster, time and again: the game goes on without the clock
        pass
    except Exception:
        play.set_aside(code, now=now, until=now + _SET_ASIDE)
        logger.exception("game %s is set aside for a minute", code)
