"""The thread of the jobs that the scheduler does not run: letters, and what is deleted by time.

Every process runs them; each job divides its work between processes by itself. The thread is a
daemon: a mail server that does not answer keeps no process from ending, and what a job was doing
then it does again after the next start.
"""

from __future__ import annotations

from threading import Thread
from typing import Final

from django.db import close_old_connections
from django.utils import timezone

from accounts import outbox
from games.play.jobs import Agenda, Job, Outcome, run
from perudo_site import jobs

# How long the end of a process waits for the step in hand.
STOP_SECONDS: Final = 2.0
# A letter is not written while its request is answered: an answer that takes longer because of that
# would tell that somebody has the address.
AFTER_ASKING_SECONDS: Final = 1.0

_thread: Thread | None = None
_stopping = False


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
    agenda = Agenda(jobs.IN_THE_BACKGROUND)
    while not _stopping:
        if outbox.asked.is_set():
            outbox.asked.clear()
            agenda.hurry("letters", seconds=AFTER_ASKING_SECONDS)
        for job in agenda.due():
            if not _stopping:
                agenda.note(job, run_job(job))
        outbox.asked.wait(agenda.seconds_left())


def run_job(job: Job) -> Outcome:
    """Run a job of this thread once, and leave no broken connection behind."""
    try:
        return run(job, now=timezone.now(), share=job.share)
    finally:
        close_old_connections()
