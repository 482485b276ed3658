"""Jobs: what a process does that no request waits for, how often, and for which share of its time.

`perudo_site/jobs.py` lists them all. The scheduler runs most of them on the games thread; those
that may wait for something else have a thread of their own. A job that fails stops no other.
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

# A job that has failed, and has no time of its own, is run again after this.
RETRY_SECONDS: Final = 0.3

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """`run(now, share)` works for about `share` seconds, and returns whether more is to be done.

    It does one step at least. It runs `every` so many seconds (0: whenever others run, too), for
    the first time `first` seconds after the start; where more is to be done, `again` after so many.
    """

    name: str
    run: Callable[[datetime, float], bool]
    every: float
    share: float
    first: float = 0.0
    again: float = 0.0


def at_once(work: Callable[..., None]) -> Callable[[datetime, float], bool]:
    """A job's `run` of work that is short, done by `work(now=…)`."""

    def run(now: datetime, share: float) -> bool:
        work(now=now)
        return False

    return run


class Outcome(Enum):
    """How a run of a job ended."""

    DONE = auto()
    MORE = auto()  # more is to be done
    FAILED = auto()
    OUTAGE = auto()  # the database could not be used


def run(job: Job, *, now: datetime, share: float) -> Outcome:
    """Run a job once; an error ends only this run, and is logged without its text.

    The text may hold an address, a name or a die.
    """
    try:
        return Outcome.MORE if job.run(now, share) else Outcome.DONE
    except (OperationalError, InterfaceError):
        logger.warning("job postponed: database unavailable job=%s", job.name)
        return Outcome.OUTAGE
    except Exception as error:
        lines = "".join(traceback.format_tb(error.__traceback__)).strip()
        logger.error("job failed job=%s error=%s\n%s", job.name, type(error).__name__, lines)
        return Outcome.FAILED


@contextmanager
def failing_alone(
    logger: logging.Logger,
    message: str,
    about: object,
    *,
    otherwise: Callable[[], object] = lambda: None,
) -> Iterator[None]:
    """One step of many within a job: where it fails, that is logged, and those after it go on.

    `message` has a place for what the step was `about`; `otherwise` is done instead. An outage of
    the database ends the job, since the steps after it would fail too.
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
        """The jobs that run now or `within` so many seconds, in the order of the list."""
        soon = monotonic() + within
        return [job for job, at in self._next.items() if at <= soon or not job.every]

    def note(self, job: Job, outcome: Outcome) -> None:
        """The job has just run."""
        match outcome:
            case Outcome.MORE:
                wait = job.again
            case Outcome.DONE:
                wait = job.every or inf
            case _:
                wait = max(job.every, RETRY_SECONDS)
        self._next[job] = monotonic() + wait

    def hurry(self, name: str, *, seconds: float) -> None:
        """Run a job after so many seconds, if it would not run before."""
        for job, at in self._next.items():
            if job.name == name:
                self._next[job] = min(at, monotonic() + seconds)

    def seconds_left(self) -> float:
        """How long until a job has to run."""
        return max(0.0, min(self._next.values(), default=inf) - monotonic())
