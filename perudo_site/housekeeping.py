"""The background thread for jobs that the scheduler does not run, such as emails and retention.

Every process runs them; each job divides its work between processes by itself. The thread is a
daemon, so a mail server that does not respond cannot keep a process from ending; the interrupted
job does its work again after the next start.
"""

from __future__ import annotations

from threading import Thread
from typing import Final

from django.db import close_old_connections
from django.utils import timezone

from accounts import outbox
from games.notify import sending
from games.play.jobs import Agenda, Job, RunStatus, run
from perudo_site import jobs

# How long the end of a process waits for the current step.
STOP_SECONDS: Final = 2.0
# Delay before an email is written, so that its request is finished: a slower response would reveal
# that somebody has the address.
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
    """Stop the thread and the push sender for good; wait STOP_SECONDS for the current steps."""
    global _stopping
    _stopping = True
    outbox.asked.set()
    if _thread is not None:
        _thread.join(STOP_SECONDS)
    sending.stop(STOP_SECONDS)


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


def run_job(job: Job) -> RunStatus:
    """Run a job of this thread once, and close broken database connections."""
    try:
        return run(job, now=timezone.now(), share=job.share)
    finally:
        close_old_connections()
