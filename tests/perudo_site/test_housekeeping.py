"""The thread of a process that runs the jobs no request waits for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from threading import Event, Thread

import pytest
from django.db import OperationalError

from accounts import outbox
from games.play.clock import Clock
from games.play.jobs import Job
from perudo_site import housekeeping


class Runs:
    """A job that notes when it ran; `more` times it says that it has more to do."""

    def __init__(self, *, more: int = 0) -> None:
        self.more = more
        self.at: list[float] = []
        self.ran = Event()

    def __call__(self, now: datetime, share: float) -> bool:
        self.at.append(time.monotonic())
        self.ran.set()
        return len(self.at) <= self.more

    def wait(self, runs: int) -> None:
        deadline = time.monotonic() + 30
        while len(self.at) < runs:
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.fixture
def thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thread]:
    """The thread, not started yet."""
    monkeypatch.setattr(housekeeping, "_stopping", False)
    outbox.asked.clear()
    thread = Thread(target=housekeeping._run, daemon=True)
    yield thread
    housekeeping._stopping = True
    outbox.asked.set()
    thread.join(30)
    assert not thread.is_alive()
    outbox.asked.clear()


def test_a_job_runs_again_after_its_time_and_at_once_while_it_has_more_to_do(
    thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, calm = Runs(more=3), Runs()
    jobs = (Job("letters", busy, every=600, share=1), Job("calm", calm, every=0.05, share=1))
    monkeypatch.setattr(housekeeping.jobs, "IN_THE_BACKGROUND", jobs)
    thread.start()
    busy.wait(4)
    calm.wait(4)
    assert len(busy.at) == 4
    assert calm.at[3] - calm.at[0] >= 0.15


def test_a_letter_that_was_asked_for_wakes_the_thread_after_a_moment(
    thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at once: what the answer of that request costs must not depend on the letter."""
    letters, later = Runs(), Runs()
    jobs = (
        Job("letters", letters, every=600, share=1),
        Job("later", later, every=600, share=1, first=600),
    )
    monkeypatch.setattr(housekeeping.jobs, "IN_THE_BACKGROUND", jobs)
    thread.start()
    letters.wait(1)
    asked = time.monotonic()
    outbox.asked.set()
    letters.wait(2)
    assert letters.at[1] - asked >= housekeeping.AFTER_ASKING_SECONDS - 0.05
    assert later.at == []


@pytest.mark.parametrize("error", [LookupError, OperationalError])
def test_a_job_that_fails_stops_no_other(
    thread: Thread,
    error: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    failed, address = Event(), "somebody@example.com"

    def fail(now: datetime, share: float) -> bool:
        if failed.is_set():
            again.set()
        failed.set()
        raise error(address)

    other, again = Runs(), Event()
    jobs = (Job("letters", fail, every=0.02, share=1), Job("other", other, every=0.02, share=1))
    monkeypatch.setattr(housekeeping.jobs, "IN_THE_BACKGROUND", jobs)
    thread.start()
    other.wait(3)
    assert again.wait(30)
    said = "job postponed: database unavailable job=letters"
    assert (said if error is OperationalError else "job failed job=letters error=") in caplog.text
    assert address not in caplog.text


def test_every_job_of_a_process_has_a_name_of_its_own() -> None:
    every = [*housekeeping.jobs.of_the_scheduler(Clock()), *housekeeping.jobs.IN_THE_BACKGROUND]
    assert len({job.name for job in every}) == len(every)
