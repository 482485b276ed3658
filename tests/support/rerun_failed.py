"""Run each failed test again by itself at the end of `.ci/run`, and say which were flaky.

As a plugin of pytest (`-p tests.support.rerun_failed`) it notes the failed tests in the file that
`FAILED_TESTS` names and lets the command go on, so that `make check` runs every part. As a program
(`python -m tests.support.rerun_failed FILE`) it runs the noted tests again, each alone and with the
seed it failed with, and exits with 1 unless all pass and are few.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath

import pytest

MOST = 2  # flaky tests in one run; one more and the run has failed
# A single failure of these is one too many: it may be the one time in a thousand that somebody
# sees another's dice, loses a move or gets in.
STRICT_FOLDERS = {"contract", "faults", "security", "upgrade", "wire"}
STRICT_WORDS = (
    *("archive", "backup", "kill", "leak", "limit", "log_redaction", "migration", "old_names"),
    *("transaction", "outage", "race", "redis_layer", "two_factor", "secrecy"),
    *("shutdown", "slow_clients", "sqlite_lock", "postgresql", "upgrade"),
)


def is_strict(test: str) -> bool:
    """Whether a test, given by its node id, guards secrecy, security, races, faults or data."""
    path, _, name = test.partition("::")
    file = PurePath(path)
    return bool(STRICT_FOLDERS & set(file.parts)) or any(
        word in text for word in STRICT_WORDS for text in (file.stem, name)
    )


class FailureLog:
    """Notes the failed tests of one run; in a run of several workers, only their controller."""

    def __init__(self, file: Path, config: pytest.Config) -> None:
        self.file, self.config = file, config
        self.failed: list[str] = []
        self.uncollected = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.uncollected |= report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid not in self.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Nothing but failed tests is forgiven: an interrupted run or an error stays one."""
        if exitstatus != pytest.ExitCode.TESTS_FAILED or self.uncollected:
            return
        seed = self.config.getoption("randomly_seed")
        with self.file.open("a") as file:
            for test in self.failed:
                file.write(json.dumps({"test": test, "seed": seed}) + "\n")
        session.exitstatus = pytest.ExitCode.OK


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailureLog(Path(os.environ["FAILED_TESTS"]), config))


def passes(test: str, seed: int) -> bool:
    """Run one test in a process of its own."""
    words = ["-m", "pytest", "-m", "", "--randomly-seed", str(seed), "-q", test]
    environment = os.environ | {"PYTEST_ADDOPTS": ""}
    return subprocess.run([sys.executable, *words], env=environment).returncode == 0  # noqa: S603


def main(arguments: Sequence[str]) -> int:
    """Judge the run whose failed tests a file names; return the exit status."""
    noted = [json.loads(line) for line in Path(arguments[0]).read_text().splitlines()]
    if not noted:
        return 0
    strict = [each["test"] for each in noted if is_strict(each["test"])]
    for test in strict:
        print(f"FAILED (never repeated): {test}")
    if strict or len(noted) > MOST:
        print(f"{len(noted)} tests failed; at most {MOST} may be flaky, and none of the strict.")
        return 1
    flaky = [each["test"] for each in noted if passes(each["test"], each["seed"])]
    for test in flaky:
        print(f"FLAKY: {test}")
    return 0 if len(flaky) == len(noted) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
