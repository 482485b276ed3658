"""What a shared server logs fails the test that caused it, and no other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The server of these tests: each line of the file is an entry, and games are created as they say.
CONFTEST = """
import time
from datetime import UTC, datetime
from pathlib import Path
import pytest
from tests.support import charges

class Server:
    def __init__(self, folder):
        self.log, self.created = folder / "log", {}
        self.log.touch()

    def entries(self):
        return self.log.read_text().splitlines()

    def create(self, code):
        self.created[code] = time.time()

    def say(self, words):
        now = datetime.now(UTC).isoformat(" ", "milliseconds")[:23].replace(".", ",")
        with self.log.open("a") as log:
            log.write(f"{now} ERROR {words}\\n")

@pytest.fixture(scope="session")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("server"))
    with charges.watching(server.entries, server.created.get):
        yield server
        if "late" in server.created:
            server.say("game set aside game=late")
"""
TESTS = """
def test_one_whose_game_fails_later(server):
    server.create("abc")

def test_two_during_which_it_fails(server):
    server.say("game set aside game=abc")

def test_three_which_breaks_something(server):
    server.say("request failed")

def test_four_without_fault(server):
    server.create("fine")

def test_five_whose_game_fails_at_the_end(server):
    server.create("late")

def test_six_without_fault(server):
    pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_an_error_is_charged_to_the_test_that_caused_it(tmp_path: Path, workers: int) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    options = "-p tests.support.charges -p no:django -p no:cacheprovider -p no:randomly"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rfE", f"--numprocesses={workers}"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": options},
        capture_output=True,
        text=True,
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    summary = done.stdout.partition("short test summary info")[2]
    failed = [line for line in summary.splitlines() if line.startswith(("FAILED", "ERROR"))]
    assert sorted(line.partition(" - ")[0] for line in failed) == [
        "ERROR test_it.py::test_five_whose_game_fails_at_the_end",
        "ERROR test_it.py::test_one_whose_game_fails_later",
        "FAILED test_it.py::test_three_which_breaks_something",
    ], done.stdout
    assert "game set aside game=abc" in done.stdout
