"""Measures the processor seconds of each test, those of the processes it waited for included.

A test of more than `SLOW` seconds carries the mark `slow`, which `make test` leaves out. The last
lines of a run name those that lack it, and from `TOO_SLOW` on such a test fails (later on a machine
that is slower than ours). With `PROCESSOR_TIMES=FILE` a run adds a line of JSON for each test to
that file: its id and its seconds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path
from time import process_time
from typing import Any

import pytest

SLOW, TOO_SLOW = 2.0, 5.0
LOOP_SECONDS = 0.05  # of the loop below on the machine of these limits
# What `make test` leaves out anyway.
ELSEWHERE = ("alone", "e2e", "long", "real_server", "slow")

_shared = 0.0  # seconds spent on fixtures that other tests use too
_unmarked: dict[str, float] = {}


def slowness() -> float:
    """How many times slower than ours this machine is now; at least 1."""
    begun = process_time()
    sum(number * number for number in range(1_000_000))
    return max(1.0, (process_time() - begun) / LOOP_SECONDS)


def spent() -> float:
    """The processor seconds of this process and of the children it has waited for."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
    global _shared
    begun, before = spent(), _shared
    made = yield
    if fixturedef.scope != "function":
        _shared = before + spent() - begun
    return made


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[_BEGUN] = spent() - _shared
    return (yield)


_BEGUN = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    yield
    seconds = spent() - _shared - item.stash[_BEGUN]
    marked = any(item.get_closest_marker(mark) for mark in ELSEWHERE)
    item.user_properties.append(("processor_seconds", (round(seconds, 3), marked)))
    if seconds > TOO_SLOW and not marked and seconds > TOO_SLOW * slowness():
        pytest.fail(f"{seconds:.1f} seconds of processor time, and it is not marked as slow")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """The controller of a run hears of every test here, a worker of its own."""
    measured = dict(report.user_properties).get("processor_seconds")
    if measured is None or report.when != "teardown" or "PYTEST_XDIST_WORKER" in os.environ:
        return
    seconds, marked = measured
    if seconds > SLOW and not marked:
        _unmarked[report.nodeid] = seconds
    if file := os.environ.get("PROCESSOR_TIMES"):
        with Path(file).open("a") as times:
            times.write(json.dumps({"test": report.nodeid, "seconds": seconds}) + "\n")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for test, seconds in sorted(_unmarked.items(), key=lambda each: -each[1]):
        terminalreporter.line(f"Not marked as slow, {seconds:.1f} s of processor time: {test}")
