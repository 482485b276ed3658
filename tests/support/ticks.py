"""A scheduler whose ticks a test makes, with every job of the site."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from games.play.clock import Clock
from games.play.jobs import Agenda, Job
from games.play.scheduler import Scheduler
from perudo_site import jobs


def new_scheduler(
    *,
    wall: Callable[[], datetime] | None = None,
    make_jobs: Callable[[Clock], Sequence[Job]] = jobs.of_the_scheduler,
) -> Scheduler:
    """One that has not made a tick yet; `wall` is its system clock."""
    clock = Clock(wall=wall)
    return Scheduler(clock, Agenda(make_jobs(clock)))
