"""Jobs that no request waits for, on a thread of their own: letters, and what is deleted by time.

Every process runs them; each job divides its work between processes by itself. The thread is a
daemon: a mail server that does not answer keeps no process from ending, and what a job was doing
then it does again after the next start.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from threading import Thread
from time import monotonic
from typing import Final

from django.db import close_old_connections
from django.utils import timezone

from accounts import outbox, retention
from games.chat import retention as chat_retention
from games.live import outage_handling

# How long the end of a process waits for the step in hand.
STOP_SECONDS: Final = 2.0
# A letter is not written while its request is answered: an answer that takes longer because of that
# would tell that somebody has the address.
AFTER_ASKING_SECONDS: Final = 1.0

logger = logging.getLogger(__name__)
_thread: Thread | None = None
_stopping = False


@dataclass(frozen=True)
class Job:
    """`run(now, share)` works for about `share` seconds and returns whether more is to be done.

    It runs `every` so many seconds, for the first time `first` seconds after the start.
    """

    name: str
    run: Callable[[datetime, float], bool]
    every: float
    share: float
    first: float = 0.0


JOBS: Final = (
    Job("letters", outbox.run, every=15.0, share=1.0),
    Job("retention of accounts", retention.run, every=3600.0, share=0.5, first=60.0),
    Job("retention of the chat", chat_retention.run, every=3600.0, share=0.5, first=90.0),
)


def start() -> None:
    """Start the thread of this process; idempotent."""
    global _thread
    if _thread is None and not _stopping:
        _thread = Thread(target=_run, name="housekeeping", daemon=True)
        _thread.start()


def stop() -> None:
    """End the thread for good, after the step in hand if that does not take long."""
    global _stopping
    _stopping = True
    outbox.asked.set()
    if _thread is not None:
        _thread.join(STOP_SECONDS)


def _run() -> None:
    due = {job.name: monotonic() + job.first for job in JOBS}
    while not _stopping:
        if outbox.asked.is_set():
            outbox.asked.clear()
            due["letters"] = min(due["letters"], monotonic() + AFTER_ASKING_SECONDS)
        for job in JOBS:
            if not _stopping and monotonic() >= due[job.name]:
                more = run_job(job)
                due[job.name] = monotonic() + (0.0 if more else job.every)
        outbox.asked.wait(max(0.0, min(due.values()) - monotonic()))


def run_job(job: Job) -> bool:
    """Run a job once; an error ends only this run, and is logged without its text."""
    try:
        return job.run(timezone.now(), job.share)
    except Exception as error:
        if outage_handling.is_outage(error):
            logger.warning("job postponed: database unavailable job=%s", job.name)
        else:  # its text may hold an address or a name
            lines = "".join(traceback.format_tb(error.__traceback__)).strip()
            logger.error("job failed job=%s error=%s\n%s", job.name, type(error).__name__, lines)
        return False
    finally:
        close_old_connections()
