"""Charges what a server logs that several tests use to the test that caused it.

A game may fail long after its test: the scheduler of a shared server plays it on while other tests
run. An entry that names a game is charged to the test that ran when the game was created, any other
to the one that ran when it was written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from time import time
from typing import Any

import pytest

# When each test began, in seconds since 1970, and its name.
_begun: list[tuple[float, str]] = []
_watched: list[_Watched] = []
# What was found at the end of a server, by the name of a test that was over by then.
_late: list[tuple[str, str]] = []


class _Watched:
    """What a log says of errors, and what was charged of it; `created`: when a game was."""

    def __init__(
        self, entries: Callable[[], list[str]], created: Callable[[str], float | None]
    ) -> None:
        self._entries, self._created = entries, created
        self._charged: Counter[str] = Counter()

    def charges(self) -> list[tuple[str, str]]:
        """The new entries, each with the name of its test."""
        new = Counter(self._entries()) - self._charged
        self._charged += new
        return [(_test_at(self._caused_at(entry)), entry) for entry in new.elements()]

    def _caused_at(self, entry: str) -> float:
        code = re.search(r"\bgame=(\w+)", entry)
        created = self._created(code[1]) if code else None
        if created is not None:
            return created
        written = datetime.strptime(entry[:23], "%Y-%m-%d %H:%M:%S,%f")
        return written.replace(tzinfo=UTC).timestamp() + 0.001  # it names milliseconds alone


def _test_at(moment: float) -> str:
    """The test that ran then; outside of a run, none."""
    place = bisect_right(_begun, moment, key=lambda each: each[0]) - 1
    return _begun[max(place, 0)][1] if _begun else ""


@contextmanager
def watching(
    entries: Callable[[], list[str]], created: Callable[[str], float | None]
) -> Iterator[None]:
    """Charge the `entries` of a log to tests; AssertionError at its end for the test of then."""
    watched = _Watched(entries, created)
    _watched.append(watched)
    try:
        yield
        here = _test_at(time())
        found = watched.charges()
        _late.extend(each for each in found if each[0] != here)
        assert [entry for test, entry in found if test == here] == []
    finally:
        _watched.remove(watched)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart(nodeid: str) -> None:
    _begun.append((time(), nodeid))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "setup":
        return report
    found = [*_late, *(each for watched in _watched for each in watched.charges())]
    _late.clear()
    for test, entry in found:
        if test == item.nodeid and report.passed:
            report.outcome, report.longrepr = "failed", f"A server has logged:\n{entry}"
        elif (output := getattr(item.config, "workeroutput", None)) is not None:
            output.setdefault("charges", []).append((test, entry))  # a worker reports its test only
        else:
            item.ihook.pytest_runtest_logreport(report=_of_another(test, entry))
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What a worker of xdist has charged to tests that were over."""
    for test, entry in getattr(node, "workeroutput", {}).get("charges", ()):
        node.config.hook.pytest_runtest_logreport(report=_of_another(test, entry))


def _of_another(test: str, entry: str) -> pytest.TestReport:
    """A failure of a test that is over: it counts, and is shown, as one of its teardown."""
    return pytest.TestReport(
        nodeid=test,
        location=(test.partition("::")[0], None, test.partition("::")[2]),
        keywords={},
        outcome="failed",
        longrepr=f"A server has logged, of what this test has left behind:\n{entry}",
        when="teardown",
    )
