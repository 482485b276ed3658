"""The clock: one loop a process that does what is due, one overdue game at a time."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from time import monotonic

from channels.db import database_sync_to_async
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from games import archive, hours, lobby, metrics, play, presence
from games.models import Game
from games.refusal import Refused

TICK_SECONDS = 0.1
# A game whose step fails is looked at again after this, so that it cannot stop the others.
_SET_ASIDE = timedelta(minutes=1)
_HICCUP = timedelta(seconds=2)
# A clock that did not beat for so long has nothing to reproach anybody with.
_STANDS_STILL = timedelta(seconds=1.5)
# Moves under way still carry the time from before; what they ask is put right together with all.
_SETTLING_SECONDS = 1.5
_TRY_AGAIN_SECONDS = 0.3
# So long a move may be under way: through a database that is away and back.
_COMES_LATE_SECONDS = 60
_BATCH = 50
# So long a beat plays games that are skipped to their end, when all others have had their turn.
_SKIP_SECONDS = 0.05
# Packing logs is nothing anybody waits for: a few a second, and only between two ticks.
_PACK_EVERY_SECONDS = 1.0
_PACKED_AT_ONCE = 10

Status = Game.Status
logger = logging.getLogger(__name__)
_running: asyncio.Task[None] | None = None
_stopping = False


def wind() -> None:
    """Start the clock of this process, once, in the running event loop."""
    global _running
    if not _stopping and (_running is None or _running.done()):
        _running = asyncio.get_running_loop().create_task(_run(), name="clock")


async def stop() -> None:
    """Let the clock of this process finish what it is doing, and stop it for good."""
    global _stopping
    _stopping = True
    if _running is not None:
        await _running


async def _run() -> None:
    watch = Watch()
    packed = -inf
    while not _stopping:
        try:
            await _beat(watch)
            metrics.ticks.inc()
            if monotonic() - packed >= _PACK_EVERY_SECONDS:
                packed = monotonic()
                await _pack_some()
        except (OperationalError, InterfaceError) as away:
            if not watch.away:
                logger.warning("the clock waits, the database is away: %s", _plainly(away))
            watch.away = True
            await asyncio.sleep(_TRY_AGAIN_SECONDS)
        except Exception:
            logger.exception("the clock skipped a beat")
        await asyncio.sleep(TICK_SECONDS)


async def _pack_some() -> None:
    """Each log by itself, so that a move never waits for more than one."""
    waiting = database_sync_to_async(archive.waiting)
    for code in await waiting(now=timezone.now(), most=_PACKED_AT_ONCE):
        if _stopping:
            return
        await database_sync_to_async(archive.pack)(code, now=timezone.now())


async def _skip_some() -> None:
    """Moves of games that are skipped to their end, each by itself, for a share of the beat."""
    until = monotonic() + _SKIP_SECONDS
    while codes := await database_sync_to_async(skipped)(now=timezone.now()):
        for code in codes:
            await database_sync_to_async(wake_one)(code, now=timezone.now())
            if _stopping or monotonic() >= until:
                return


async def _beat(watch: Watch) -> None:
    """Everything that is due; but first the house opens, if it was closed until now."""
    now, began = timezone.now(), monotonic()
    if watch.is_startled(now=now, beat=began):
        if not watch.is_new:
            await asyncio.sleep(_SETTLING_SECONDS)
        now = timezone.now()
        reopens = await database_sync_to_async(hours.reopens)(now=now)
        if reopens:
            await database_sync_to_async(forgive)(now=timezone.now())
        now, began = timezone.now(), monotonic()
        if reopens or not watch.is_new:
            watch.opened, watch.opened_beat = now, began
        watch.sees(now=now, beat=began)
    if watch.must_sign(beat=monotonic()):
        await database_sync_to_async(hours.sign)(now=now)
        watch.signed = monotonic()
    for code in await database_sync_to_async(overdue)(now=now):
        if _stopping:  # the others are still due when a process looks next
            return
        await database_sync_to_async(wake_one)(code, now=now, opened=watch.just_opened)
    await _skip_some()
    # The time that passed, added up: a wall's clock that was set meanwhile startles the next beat.
    ended = monotonic()
    watch.sees(now=now + timedelta(seconds=ended - began), beat=ended)


@dataclass(slots=True)
class Watch:
    """What a clock remembers of its last beat: the time on the wall, and the time that passed."""

    wall: datetime | None = None
    beat: float = 0.0  # seconds of time.monotonic, which nobody can set
    signed: float = -inf
    away: bool = False
    opened: datetime | None = None  # when the house opened, if this clock saw it closed
    opened_beat: float = 0.0

    @property
    def is_new(self) -> bool:
        return self.wall is None

    @property
    def just_opened(self) -> datetime | None:
        """When the house opened; None once nothing from before that can still come."""
        return self.opened if self.beat - self.opened_beat < _COMES_LATE_SECONDS else None

    def sees(self, *, now: datetime, beat: float) -> None:
        self.wall, self.beat, self.away = now, beat, False

    def is_startled(self, *, now: datetime, beat: float) -> bool:
        """This clock has just been wound, it stood still, or somebody has set the wall's."""
        if self.wall is None:
            return True
        passed = timedelta(seconds=beat - self.beat)
        return passed > _STANDS_STILL or abs(now - self.wall - passed) > _STANDS_STILL

    def must_sign(self, *, beat: float) -> bool:
        return beat - self.signed >= hours.SIGNED_EVERY.total_seconds()


def forgive(*, now: datetime) -> None:
    """The house was closed, or its clock was set: all that is due gets its whole time again.

    The clock punishes players, never the house's own downtime.
    """
    lobby.forgive(now=now)
    presence.forgive(now=now)
    running = Game.objects.filter(status=Status.PLAYING, due_at__isnull=False)
    for code in list(running.values_list("code", flat=True)):
        try:
            play.forgive(code, now=now)
        except Refused:  # somebody plays there already
            continue
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception("game %s is not forgiven", code)


def overdue(*, now: datetime) -> list[str]:
    """The codes of the games in which something is due, the longest overdue first."""
    alive = Game.objects.filter(status__in=(Status.OPEN, Status.PLAYING), skipping=False)
    due = alive.filter(due_at__lte=now).order_by("due_at")
    return list(due.values_list("code", flat=True)[:_BATCH])


def skipped(*, now: datetime) -> list[str]:
    """The codes of the games that are skipped to their end, the one that waits longest first."""
    due = Game.objects.filter(status=Status.PLAYING, skipping=True, due_at__lte=now)
    return list(due.order_by("due_at").values_list("code", flat=True)[:_BATCH])


def wake_one(code: str, *, now: datetime, opened: datetime | None = None) -> None:
    """Do what is due in one game; when that fails, put the game aside before saying so.

    A move that was under way when the house closed carries the time from before. If its question
    to people ran out before the house `opened`, they get their time anew.
    """
    try:
        status, due_at = Game.objects.values_list("status", "due_at").get(code=code)
        if due_at is not None:  # another process may have been faster
            metrics.clock_lag.observe((now - due_at).total_seconds())
            if opened and due_at <= opened:
                play.forgive(code, now=now)  # a game that waits for the house stays due
        if status == Status.OPEN:
            lobby.close_abandoned(code, now=now)
        else:
            play.wake(code, now=now)
        metrics.woken.labels("done").inc()
    except Refused:  # others were faster, time and again: the game goes on without the clock
        metrics.woken.labels("beaten").inc()
    except (OperationalError, InterfaceError) as away:  # no fault of this game's
        metrics.woken.labels("set aside").inc()
        play.set_aside(code, now=now, until=now + _HICCUP)
        logger.warning("game %s waits, the database is away: %s", code, _plainly(away))
    except Exception:
        metrics.woken.labels("set aside").inc()
        play.set_aside(code, now=now, until=now + _SET_ASIDE)
        logger.exception("game %s is set aside for a minute", code)


def _plainly(trouble: Exception) -> str:
    return str(trouble).partition("\n")[0]
