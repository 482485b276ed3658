"""The scheduler: one loop a process that plays what is due, see `due` for the order.

It wakes when a deadline that its own process has set has passed (see `alarm`), and at least for
every heartbeat; then it also finds what another process has left overdue.
"""

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

from games import metrics
from games.errors import Refused
from games.models import Game, heartbeat
from games.play import (
    alarm,
    before_start,
    close_by_staff,
    commands,
    deadlines,
    housekeeping,
    presence,
)
from games.play.due import Due, due, skipped
from games.store import archive

__all__ = ["Due", "due", "is_running", "run_due", "skipped", "start", "stop"]

# Ticks are at least this far apart, so that many deadlines at once cost no more than a few ticks.
_LEAST_SLEEP_SECONDS = 0.1
# A game in which everything has failed for so long is closed: nobody can play it any more.
_BROKEN_AT_MOST = timedelta(days=1)
_SET_ASIDE_WITHOUT_DATABASE = timedelta(seconds=2)
# A loop that stood still, or a system clock that was set, by more than this: people may have missed
# their time through no fault of their own.
_JUMP = timedelta(seconds=1.5)
# Moves under way still carry the time from before; they are waited for.
_SETTLING_SECONDS = 1.5
_RETRY_SECONDS = 0.3
# A move may be under way for so long: through a database that goes away and comes back.
_LATE_MOVES_SECONDS = 60
# How long a tick plays bots' moves, after everything for which people wait; and the least pause
# before the next tick where more is due: people's own moves and pages need the thread too.
_BOTS_SECONDS = 0.15
_LEAST_SLEEP_BETWEEN_BOTS_SECONDS = 0.05
# How long a tick plays games that are skipped to their end, after all others.
_SKIP_SECONDS = 0.05
# Nobody waits for logs to be packed: a few a second, and only between two ticks.
_PACK_EVERY_SECONDS = 1.0
_PACKED_AT_ONCE = 10
_LOOK_FOR_LOGS_EVERY_SECONDS = 5.0
_KEEP_HOUSE_EVERY_SECONDS = 5.0

Status = Game.Status
logger = logging.getLogger(__name__)
_running: asyncio.Task[None] | None = None
_stopping = False


def start() -> None:
    """Start the scheduler of this process, once, in the running event loop."""
    global _running
    if not _stopping and (_running is None or _running.done()):
        _running = asyncio.get_running_loop().create_task(_run(), name="scheduler")


async def stop() -> None:
    """Let the scheduler of this process finish the game in hand, and stop it for good."""
    global _stopping
    _stopping = True
    alarm.ring()
    if _running is not None:
        await _running


def is_running() -> bool:
    """Whether this process's scheduler has not stopped, or is still finishing a game."""
    return _running is not None and not _running.done()


async def _run() -> None:
    clock = alarm.Alarm()
    watch = Watch()
    packs_at = keeps_house_at = -inf
    more = False
    while not _stopping:
        try:
            more = await _tick(watch)
            metrics.ticks.inc()
            if monotonic() >= packs_at:
                waiting = await _pack_some()
                packs_at = monotonic() + (
                    _PACK_EVERY_SECONDS if waiting else _LOOK_FOR_LOGS_EVERY_SECONDS
                )
            if monotonic() >= keeps_house_at:
                await database_sync_to_async(housekeeping.run)(now=timezone.now())
                keeps_house_at = monotonic() + _KEEP_HOUSE_EVERY_SECONDS
        except (OperationalError, InterfaceError) as error:
            if not watch.database_is_away:
                logger.warning("scheduler waits: database unavailable error=%s", _first_line(error))
            watch.database_is_away = True
            await asyncio.sleep(_RETRY_SECONDS)
        except Exception:
            logger.exception("scheduler tick failed")
            await asyncio.sleep(_RETRY_SECONDS)
        if more:
            await clock.sleep(least=_LEAST_SLEEP_BETWEEN_BOTS_SECONDS, most=0)
        else:
            most = watch.seconds_to_beat(passed=monotonic())
            await clock.sleep(least=_LEAST_SLEEP_SECONDS, most=most)


async def _pack_some() -> bool:
    """Pack logs, each in a transaction of its own, so that a move never waits for more than one.

    Returns whether more may be waiting.
    """
    waiting = database_sync_to_async(archive.waiting)
    codes = await waiting(now=timezone.now(), most=_PACKED_AT_ONCE)
    for code in codes:
        if _stopping:
            break
        await database_sync_to_async(archive.pack)(code, now=timezone.now())
    return len(codes) == _PACKED_AT_ONCE


async def _skip_some() -> None:
    """Play games that are skipped to their end, one move at a time, for a share of the tick."""
    until = monotonic() + _SKIP_SECONDS
    while codes := await database_sync_to_async(skipped)(now=timezone.now()):
        for code in codes:
            await database_sync_to_async(run_due)(code, now=timezone.now())
            if _stopping or monotonic() >= until:
                return


async def _tick(watch: Watch) -> bool:
    """Play what is due; after a downtime or a jump of the clock, grant time first.

    Returns whether more may be due already.
    """
    now, passed = timezone.now(), monotonic()
    if watch.owes_time or watch.clock_jumped(now=now, passed=passed):
        if not watch.is_new:
            await asyncio.sleep(_SETTLING_SECONDS)
        now, passed = timezone.now(), monotonic()
        reopens = await database_sync_to_async(heartbeat.claim_reopening)(now=now)
        watch.owes_time |= reopens
        if watch.owes_time:
            await database_sync_to_async(grant_fresh_time)(now=timezone.now())
            watch.owes_time = _clock_was_set(now, passed)
        now, passed = _later(now, passed)
        if reopens or not watch.is_new:
            watch.opened, watch.opened_passed = now, passed
        watch.note(now=now, passed=passed)
    found = await database_sync_to_async(_beat_and_find_due)(watch, now=now)
    bots_until = inf
    for number, code in enumerate([*found.codes, *found.bots]):
        if number == len(found.codes):
            bots_until = monotonic() + _BOTS_SECONDS
        if _stopping or monotonic() >= bots_until:  # the others are due when a process looks next
            found = found._replace(is_all=False)
            break
        goes_on = await database_sync_to_async(_run_due_now)(
            code, now=now, passed=passed, opened=watch.just_opened
        )
        if not goes_on:
            return True
    if found.some_skipped:
        await _skip_some()
    now, passed = _later(now, passed)
    watch.note(now=now, passed=passed)
    return found.some_skipped or not found.is_all


def _clock_was_set(now: datetime, passed: float) -> bool:
    """Whether the system clock was set since it was `now`, and `passed` the monotonic clock."""
    return _drifted(now, passed, timezone.now(), monotonic())


def _drifted(now: datetime, passed: float, later_now: datetime, later_passed: float) -> bool:
    """Whether the two clocks differ by more than a jump in how far they went."""
    return abs(later_now - now - timedelta(seconds=later_passed - passed)) > _JUMP


def _later(now: datetime, passed: float) -> tuple[datetime, float]:
    """Both times as they are now, by the time that passed since them.

    The system clock is not read again: if it was set meanwhile, the next tick has to notice.
    """
    ended = monotonic()
    return now + timedelta(seconds=ended - passed), ended


def _beat_and_find_due(watch: Watch, *, now: datetime) -> Due:
    """Write the heartbeat if it is time, and return what is due: one visit to the thread."""
    if watch.seconds_to_beat(passed=monotonic()) <= 0:
        heartbeat.beat(now=now)
        watch.beaten = monotonic()
    return due(now=now)


def _run_due_now(code: str, *, now: datetime, passed: float, opened: datetime | None) -> bool:
    """Play what is due, at the time when the thread comes to it: it may have been busy for long.

    Returns False, and plays nothing, if the system clock was set since the tick began (`now`, and
    `passed` on the monotonic clock): a deadline set since then means nothing beside that time.
    """
    if _clock_was_set(now, passed):
        return False
    run_due(code, now=_later(now, passed)[0], opened=opened)
    return True


@dataclass(slots=True)
class Watch:
    """What a scheduler knows of its last tick: the system time, and the time that passed.

    `passed`, `beaten` and `opened_passed` are in seconds of time.monotonic, which nobody can set.
    """

    now: datetime | None = None
    passed: float = 0.0
    beaten: float = -inf  # the last heartbeat
    database_is_away: bool = False
    # It has to grant fresh time: again, if the database failed or the clock was set meanwhile.
    owes_time: bool = False
    opened: datetime | None = None  # the end of a downtime or jump that this scheduler saw
    opened_passed: float = 0.0

    @property
    def is_new(self) -> bool:
        return self.now is None

    @property
    def just_opened(self) -> datetime | None:
        """When the site came up; None once no move from before that can still arrive."""
        return self.opened if self.passed - self.opened_passed < _LATE_MOVES_SECONDS else None

    def note(self, *, now: datetime, passed: float) -> None:
        self.now, self.passed, self.database_is_away = now, passed, False

    def clock_jumped(self, *, now: datetime, passed: float) -> bool:
        """This scheduler has just started, it stood still, or the system clock was set."""
        if self.now is None:
            return True
        stood_still = passed - self.passed > _JUMP.total_seconds()
        return stood_still or _drifted(self.now, self.passed, now, passed)

    def seconds_to_beat(self, *, passed: float) -> float:
        """How long until the next heartbeat has to be written."""
        return self.beaten + heartbeat.BEAT_EVERY.total_seconds() - passed


def grant_fresh_time(*, now: datetime) -> None:
    """Restart every deadline after a downtime, or when the system clock was set.

    People lose no turn because the server was down.
    """
    before_start.extend_open_tables(now=now)
    presence.mark_all_watched(now=now)
    running = Game.objects.filter(status=Status.PLAYING)
    for code in list(running.values_list("code", flat=True)):
        try:
            commands.grant_fresh_time(code, now=now)
        except Refused:  # somebody plays there already
            continue
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception("granting fresh time failed game=%s", code)


def run_due(code: str, *, now: datetime, opened: datetime | None = None) -> None:
    """Play what is due in one game; when that fails, set the game aside and log why.

    A move that was under way when the site went down carries the time from before. If its deadline
    for people passed before the site `opened`, they get fresh time.
    """
    game: Game | None = None
    try:
        game = Game.objects.get(code=code)
        if game and game.due_at is not None:  # another process may have been faster
            lag = metrics.bot_lag if game.bots_due else metrics.clock_lag
            lag.observe((now - game.due_at).total_seconds())
            if opened and game.due_at <= opened:
                commands.grant_fresh_time(code, now=now)  # where a bot moves, it stays due
                game = None
        if game and game.status == Status.OPEN:
            before_start.close_abandoned(code, now=now)
        else:
            commands.play_due(code, now=now, row=game)
        metrics.games_run.labels("done").inc()
    except Refused:  # others were faster, time and again: the game goes on without the scheduler
        metrics.games_run.labels("beaten").inc()
    except (OperationalError, InterfaceError) as error:  # no fault of this game's
        metrics.games_run.labels("set aside").inc()
        commands.set_aside(code, now=now, until=now + _SET_ASIDE_WITHOUT_DATABASE)
        logger.warning(
            "game set aside: database unavailable game=%s error=%s", code, _first_line(error)
        )
    except Exception:
        metrics.games_run.labels("set aside").inc()
        commands.set_aside(code, now=now, until=now + housekeeping.SET_ASIDE)
        logger.exception("game set aside game=%s", code)
        if game and _is_broken(game, now=now) and close_by_staff.close(code):
            logger.error("broken game closed game=%s", code)


def _is_broken(game: Game, *, now: datetime) -> bool:
    """Whether a game that has just failed has done so for long: no step has set another end."""
    ends = deadlines.end_of_wait(game)
    return ends is not None and now - ends >= _BROKEN_AT_MOST


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
