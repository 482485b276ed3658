"""The worker: a process that computes, dies, hangs and is stopped, without holding up this one."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from accounts.models import User
from games.models import FactRow
from games.play.worker import Busy, Failed, Results, Worker
from tests.games.play import tasks
from tests.support.fast_games import START, finished_game

PATIENCE = 60.0


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker(seconds=30.0)
    yield worker
    worker.stop(0.0)
    assert worker.pid is None


def is_alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def test_nothing_runs_until_somebody_asks(worker: Worker) -> None:
    assert worker.pid is None
    worker.ask(tasks.hang, 0).result(PATIENCE)
    assert worker.pid is not None


def test_it_is_niced_and_knows_no_settings_no_database_and_no_secret(worker: Worker) -> None:
    known = worker.ask(tasks.surroundings).result(PATIENCE)
    assert known["pid"] == worker.pid
    assert known["nice"] >= 10
    assert set(known["environment"]) <= {"PATH", "PYTHONPATH", "LC_CTYPE"}
    assert known["modules"] == []


@pytest.mark.django_db
def test_a_pure_function_of_a_game_is_computed_from_its_facts(
    worker: Worker, alice: User, bob: User
) -> None:
    game = finished_game(alice, bob)
    rows = FactRow.unsealed.filter(game=game).order_by("seq")
    facts = [[row.kind, row.data] for row in rows]
    won = [seat.number for seat in game.seat_set.filter(place=1)]
    assert worker.ask(tasks.winners, facts).result(PATIENCE) == won


def test_a_request_whose_worker_is_killed_is_asked_again(worker: Worker, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    asked = worker.ask(tasks.hang_once, str(note), 600.0)
    deadline = time.monotonic() + PATIENCE
    while not (note.exists() and note.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(int(note.read_text()), signal.SIGKILL)
    assert asked.result(PATIENCE) == "done"


def test_one_that_kills_it_time_and_again_fails_and_the_next_is_answered(
    worker: Worker, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = worker.ask(tasks.die), worker.ask(tasks.hang, 0)
    with pytest.raises(Failed):
        bad.result(PATIENCE)
    assert good.result(PATIENCE) == "done"
    assert caplog.text.count("worker died task=tests.games.play.tasks:die") == 2


@pytest.mark.parametrize("stopped", [False, True], ids=["by itself", "by its parent"])
def test_one_that_takes_too_long_fails_and_the_next_is_answered(
    stopped: bool, caplog: pytest.LogCaptureFixture
) -> None:
    worker = Worker(seconds=1.0)
    worker.ask(tasks.hang, 0).result(PATIENCE)
    pid = worker.pid
    assert pid is not None
    bad, good = worker.ask(tasks.hang, 600), worker.ask(tasks.hang, 0)
    if stopped:  # its alarm does not ring
        os.kill(pid, signal.SIGSTOP)
    with pytest.raises(Failed):
        bad.result(PATIENCE)
    assert good.result(PATIENCE) == "done"
    assert not is_alive(pid)
    assert "worker took too long task=tests.games.play.tasks:hang" in caplog.text
    worker.stop(1.0)


def test_an_error_is_logged_without_its_text(
    worker: Worker, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Failed):
        worker.ask(tasks.fail_with, "alice").result(PATIENCE)
    assert "error=LookupError" in caplog.text and "in fail_with" in caplog.text
    assert "alice" not in caplog.text


def test_where_too_much_waits_one_more_is_refused() -> None:
    worker = Worker(waiting=2, seconds=30.0)
    asked = [worker.ask(tasks.hang, 600)]
    deadline = time.monotonic() + PATIENCE
    while worker.pid is None:  # the first is taken from the queue
        assert time.monotonic() < deadline
        time.sleep(0.01)
    asked += [worker.ask(tasks.hang, 0) for _ in range(2)]
    with pytest.raises(Busy):
        worker.ask(tasks.hang, 0)
    worker.stop(0.0)
    errors = [type(one.exception(PATIENCE)) for one in asked]
    assert errors == [Failed, Busy, Busy]


def test_stopped_it_finishes_what_it_computes_and_takes_nothing_more() -> None:
    worker = Worker(seconds=30.0)
    worker.ask(tasks.hang, 0).result(PATIENCE)
    asked = worker.ask(tasks.hang, 0.5)
    time.sleep(0.1)
    worker.stop(PATIENCE)
    assert asked.result(0) == "done"
    assert worker.pid is None
    with pytest.raises(Busy):
        worker.ask(tasks.hang, 0)


def test_stopped_while_it_hangs_it_is_killed_in_time() -> None:
    worker = Worker(seconds=600.0)
    worker.ask(tasks.hang, 0).result(PATIENCE)
    pid, asked = worker.pid, worker.ask(tasks.hang, 600)
    time.sleep(0.1)
    began = time.monotonic()
    worker.stop(0.5)
    assert time.monotonic() - began < 10
    assert pid is not None and not is_alive(pid)
    with pytest.raises(Failed):
        asked.result(PATIENCE)


def test_the_event_loop_goes_on_while_it_computes(worker: Worker) -> None:
    """A thread that computes for as long would hold it up some hundred times."""
    worker.ask(tasks.hang, 0).result(PATIENCE)

    async def scene() -> tuple[int, int]:
        asked = asyncio.wrap_future(worker.ask(tasks.compute, 1.0))
        turns = 0
        while not asked.done():
            await asyncio.sleep(0.005)
            turns += 1
        return turns, asked.result()

    turns, rounds = asyncio.run(scene())
    assert rounds > 1000
    assert turns > 50


# --- results -------------------------------------------------------------------------------------


def test_results_are_written_in_steps_and_what_failed_is_not(worker: Worker) -> None:
    results, written = Results(), list[object]()

    def write(result: object, now: datetime) -> None:
        written.append(result)
        time.sleep(0.01)

    asked = [worker.ask(tasks.surroundings), worker.ask(tasks.fail_with, "alice")]
    asked.append(worker.ask(tasks.hang, 0))
    for future in asked:
        results.add(future, write)
        future.exception(PATIENCE)
    time.sleep(0.05)  # their callbacks
    assert results.run(START, 0.005), "one a step"
    assert len(written) == 1
    while results.run(START, 0.005):
        pass
    assert written[1:] == ["done"]
