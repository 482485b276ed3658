"""Jobs: background work of a process, each with an interval and a share of the time.

`perudo_site/jobs.py` lists all jobs. The scheduler runs most of them on the games thread; jobs that
may block on something else have their own thread. A failing job does not stop the others.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from math import inf
from time import monotonic
from typing import Final

from django.db import InterfaceError, OperationalError

# A failed job is retried after this time, or after its interval if that is longer.
RETRY_SECONDS: Final = 0.3

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """Background work with its schedule; all times are in seconds.

    `run(now, share)` does at least one step, works for about `share` and returns whether work is
    left. The first run is `first` after the start, and the next one after `every` (0: whenever
    another job runs), or after `again` if work is left.
    """

    name: str
    run: Callable[[datetime, float], bool]
    every: float
    share: float
    first: float = 0.0
    again: float = 0.0


def at_once(work: Callable[..., None]) -> Callable[[datetime, float], bool]:
    """Wrap a short function `work(now=…)` as the `run` of a job."""

    def run(now: datetime, share: float) -> bool:
        work(now=now)
        return False

    return run


class RunStatus(Enum):
    """How a run of a job ended."""

    DONE = auto()
    MORE = auto()  # more is to be done
    FAILED = auto()
    OUTAGE = auto()  # the database could not be used


def run(job: Job, *, now: datetime, share: float) -> RunStatus:
    """Run a job once; an error ends only this run, and is logged without its text.

    The text of an error could contain an address, a name or a die.
    """
    try:
        return RunStatus.MORE if job.run(now, share) else RunStatus.DONE
    except (OperationalError, InterfaceError):
        logger.warning("job postponed: database unavailable job=%s", job.name)
        return RunStatus.OUTAGE
    except Exception as error:
        lines = "".join(traceback.format_tb(error.__traceback__)).strip()
        logger.error("job failed job=%s error=%s\n%s", job.name, type(error).__name__, lines)
        return RunStatus.FAILED


@contextmanager
def failing_alone(
    logger: logging.Logger,
    message: str,
    about: object,
    *,
    otherwise: Callable[[], object] = lambda: None,
) -> Iterator[None]:
    """Log an error in one step of a job, and let the job continue with the next step.

    `message` has a placeholder for `about`, the subject of the step; `otherwise` is called after an
    error. A database outage does end the job, since the next steps would fail too.
    """
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        logger.exception(message, about)
        otherwise()


class Agenda:
    """When each of some jobs runs next, in seconds of time.monotonic."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._next = {job: monotonic() + job.first for job in jobs}

    def due(self, *, within: float = 0.0) -> list[Job]:
        """Return the jobs due now or `within` this many seconds, in the order of the list."""
        soon = monotonic() + within
        return [job for job, at in self._next.items() if at <= soon or not job.every]

    def note(self, job: Job, status: RunStatus) -> None:
        """Schedule the next run of a job that has just run."""
        match status:
            case RunStatus.MORE:
                wait = job.again
            case RunStatus.DONE:
                wait = job.every or inf
            case _:
                wait = max(job.every, RETRY_SECONDS)
        self._next[job] = monotonic() + wait

    def hurry(self, name: str, *, seconds: float) -> None:
        """Run a job after this many seconds, unless it is due earlier."""
        for job, at in self._next.items():
            if job.name == name:
                self._next[job] = min(at, monotonic() + seconds)

    def seconds_left(self) -> float:
        """Return the seconds until the next job is due."""
        return max(0.0, min(self._next.values(), default=inf) - monotonic())
