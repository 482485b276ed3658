"""The scheduler: one loop a process, which runs the jobs of the games thread a few steps at a time.

It wakes when a deadline that its own process has set has passed (see `alarm`), and at least for
every heartbeat; then it also finds what another process has left overdue.
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
from games.play.jobs import Agenda, Job, Outcome

# Ticks are at least this far apart, so that many deadlines at once cost no more than a few ticks;
# less where jobs have more to do, yet people's own moves and pages need the thread too.
_LEAST_SLEEP_SECONDS: Final = 0.1
_LEAST_SLEEP_AT_WORK_SECONDS: Final = 0.05
# How long a job keeps the games thread before a move of a person may come in between.
_STEP_SECONDS: Final = 0.005
# Moves under way still carry the time from before a downtime; they are waited for.
_SETTLING_SECONDS = 1.5
_RETRY_SECONDS: Final = 0.3

logger = logging.getLogger(__name__)
_running: asyncio.Task[None] | None = None
_stopping = False


def start(make_jobs: Callable[[Clock], Sequence[Job]]) -> None:
    """Start the scheduler of this process, once, in the running event loop."""
    global _running
    if not _stopping and (_running is None or _running.done()):
        clock = Clock()
        scheduler = Scheduler(clock, Agenda(make_jobs(clock)))
        _running = asyncio.get_running_loop().create_task(scheduler.run(), name="scheduler")


async def stop() -> None:
    """Let the scheduler of this process finish the step in hand, and stop it for good."""
    global _stopping
    _stopping = True
    alarm.ring()
    if _running is not None:
        await _running


def is_running() -> bool:
    """Whether this process's scheduler has not stopped, or is still finishing a step."""
    return _running is not None and not _running.done()


@dataclass
class Scheduler:
    """The loop, with its time, its jobs, and what it has still to give back after a downtime."""

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
            if self.agenda.seconds_left():  # a job whose time comes before waits for the heartbeat
                most = self.beats_at - monotonic()
                await sleeper.sleep(least=_LEAST_SLEEP_SECONDS, most=most)
            else:
                await sleeper.sleep(least=_LEAST_SLEEP_AT_WORK_SECONDS, most=0.0)

    async def tick(self) -> None:
        """Give back what a downtime took, if there was one, then run every job that is due.

        Raises OperationalError or InterfaceError where the database is away.
        """
        if self.clock.has_missed():
            await self._end_downtime()
        else:
            self.clock.read()
        while self.owed and not _stopping:
            await on_games_thread(self._give_back)()
        if monotonic() >= self.beats_at:
            await self._beat()
        # One whose time comes just after would need a tick of its own.
        for job in self.agenda.due(within=_LEAST_SLEEP_SECONDS):
            outcome = await self._work(job)
            if outcome is None:
                return
            self.agenda.note(job, outcome)
            if outcome is Outcome.OUTAGE:  # of the database, or of this job alone
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

    async def _work(self, job: Job) -> Outcome | None:
        """Run a job step by step until its share is used up.

        None: the scheduler stops, or the system clock was set, so that a deadline means nothing
        beside the time of this tick.
        """
        until = monotonic() + job.share
        while not (_stopping or self.clock.was_set()):
            outcome: Outcome = await on_games_thread(self._step)(job)
            if outcome is not Outcome.MORE or monotonic() >= until:
                return outcome
        return None

    # On the games thread, which may have been busy: the time is that of the step.

    def _step(self, job: Job) -> Outcome:
        return jobs.run(job, now=self.clock.now(), share=_STEP_SECONDS)

    def _give_back(self) -> None:
        self.owed.give_back(now=self.clock.now())
