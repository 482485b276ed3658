"""The scheduler: one loop per process that runs the jobs of the games thread in small steps.

It wakes when a deadline set by its own process has passed (see `alarm`), and at least for every
heartbeat. It then also finds overdue games of other processes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Final

from channels.db import database_sync_to_async as on_games_thread
from django.db import InterfaceError, OperationalError

from games import metrics
from games.models import heartbeat
from games.play import alarm, jobs
from games.play.clock import Clock
from games.play.downtime import Owed
from games.play.jobs import Agenda, Job, RunStatus

# The least time between ticks, so that many deadlines at once cost only a few ticks. It is shorter
# while jobs have work left, but not 0, as people's moves and pages need the thread too.
_LEAST_SLEEP_SECONDS: Final = 0.1
_LEAST_SLEEP_AT_WORK_SECONDS: Final = 0.05
# How long a job may occupy the games thread before a person's move can run.
_STEP_SECONDS: Final = 0.005
# After a downtime the scheduler waits this long for moves in progress, which use the old time.
_SETTLING_SECONDS = 1.5
_RETRY_SECONDS: Final = 0.3

logger = logging.getLogger(__name__)
_running: asyncio.Task[None] | None = None
_scheduler: Scheduler | None = None
_stopping = False


def start(make_jobs: Callable[[Clock], Sequence[Job]]) -> None:
    """Start the scheduler of this process, once, in the running event loop."""
    global _running, _scheduler
    if not _stopping and (_running is None or _running.done()):
        clock = Clock()
        _scheduler = Scheduler(clock, Agenda(make_jobs(clock)))
        _running = asyncio.get_running_loop().create_task(_scheduler.run(), name="scheduler")


async def stop() -> None:
    """Stop the scheduler of this process for good, after its current step."""
    global _stopping
    _stopping = True
    alarm.ring()
    if _running is not None:
        await _running


def is_running() -> bool:
    """Whether this process's scheduler runs, or still finishes its last step."""
    return _running is not None and not _running.done()


def can_write() -> bool:
    """Whether the last write of this process's scheduler succeeded; True if it does not run."""
    return not (is_running() and _scheduler is not None and _scheduler.database_is_away)


@dataclass
class Scheduler:
    """The scheduler loop with its clock, its jobs and the downtime it still has to give back."""

    clock: Clock
    agenda: Agenda
    owed: Owed = field(default_factory=Owed)
    beats_at: float = -inf  # the next heartbeat, in seconds of time.monotonic
    database_is_away: bool = False

    async def run(self) -> None:
        sleeper = alarm.Alarm()
        while not _stopping:
            try:
                await self.tick()
                metrics.ticks.inc()
                self.database_is_away = False
            except (OperationalError, InterfaceError) as error:
                if not self.database_is_away:
                    first_line = str(error).partition("\n")[0]
                    logger.warning("scheduler waits: database unavailable error=%s", first_line)
                self.database_is_away, self.beats_at = True, -inf
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception:
                logger.exception("scheduler tick failed")
                await asyncio.sleep(_RETRY_SECONDS)
            if self.agenda.seconds_left():  # a job due earlier waits for the heartbeat
                most = self.beats_at - monotonic()
                await sleeper.sleep(least=_LEAST_SLEEP_SECONDS, most=most)
            else:
                await sleeper.sleep(least=_LEAST_SLEEP_AT_WORK_SECONDS, most=0.0)

    async def tick(self) -> None:
        """Give back the time of a downtime, if there was one, then run every due job.

        Raises OperationalError or InterfaceError if the database is unavailable.
        """
        if self.clock.has_missed():
            await self._end_downtime()
        else:
            self.clock.read()
        while self.owed and not _stopping:
            await on_games_thread(self._give_back)()
        if monotonic() >= self.beats_at:
            await self._beat()
        # A job due shortly after this tick is included, to avoid a separate tick for it.
        for job in self.agenda.due(within=_LEAST_SLEEP_SECONDS):
            status = await self._work(job)
            if status is None:
                return
            self.agenda.note(job, status)
            if status is RunStatus.OUTAGE:  # of the database, or of this job alone
                await self._beat()
        self.clock.note_run()

    async def _end_downtime(self) -> None:
        if not self.clock.is_new:
            await asyncio.sleep(_SETTLING_SECONDS)
        lost = await on_games_thread(heartbeat.claim_reopening)(now=self.clock.read())
        if lost is not None:
            self.owed.add(lost)
        self.clock.note_downtime(lost)

    async def _beat(self) -> None:
        await on_games_thread(heartbeat.beat)(now=self.clock.now())
        self.beats_at = monotonic() + heartbeat.BEAT_EVERY.total_seconds()

    async def _work(self, job: Job) -> RunStatus | None:
        """Run a job step by step until it is done or its share of the tick is used up.

        Returns None if the scheduler stops, or if the system clock was set, since deadlines can
        then not be compared with the time of this tick.
        """
        until = monotonic() + job.share
        while not (_stopping or self.clock.was_set()):
            status: RunStatus = await on_games_thread(self._step)(job)
            if status is not RunStatus.MORE or monotonic() >= until:
                return status
        return None

    # These run on the games thread, which may have been busy, so they read the time themselves.

    def _step(self, job: Job) -> RunStatus:
        return jobs.run(job, now=self.clock.now(), share=_STEP_SECONDS)

    def _give_back(self) -> None:
        self.owed.give_back(now=self.clock.now())
