"""A test that fails in `.ci/run` is run again, unless it guards what may never fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.rerun_failed import MOST, is_strict

ROOT = Path(__file__).resolve().parents[2]
FAILS_ONCE = """
from pathlib import Path
def test_{name}():
    seen = Path(__file__).with_suffix(".seen")
    first = not seen.exists()
    seen.touch()
    assert not first
"""
FAILS_ALWAYS = "def test_{name}():\n    assert False\n"
PASSES = "def test_{name}():\n    pass\n"
BROKEN = "import nothing_of_this_name\n"

Judge = Callable[..., tuple[int, str]]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Run test files as `.ci/run` does; return the last exit status and all that was printed."""

    def run(*, workers: int = 0, **sources: str) -> tuple[int, str]:
        for name, source in sources.items():
            (tmp_path / f"test_{name}.py").write_text(source.format(name=name))
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        noted = tmp_path / "failed"
        noted.touch()
        environment = os.environ | {
            "FAILED_TESTS": str(noted),
            "PYTHONPATH": str(ROOT),
            "PYTEST_ADDOPTS": "-p tests.support.rerun_failed -p no:django -p no:cacheprovider",
        }
        output = ""
        words = ["-m", "pytest", "-q", f"--numprocesses={workers}"]
        for command in (words, ["-m", "tests.support.rerun_failed", str(noted)]):
            done = subprocess.run(  # noqa: S603
                [sys.executable, *command],
                cwd=tmp_path, env=environment, capture_output=True, text=True,
            )  # fmt: skip
            output += done.stdout + done.stderr
            if done.returncode:
                break
        return done.returncode, output

    return run


def test_a_run_without_a_failure_passes_and_says_nothing(judge: Judge) -> None:
    status, output = judge(calm=PASSES)
    assert (status, "FLAKY" in output) == (0, False)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_a_test_that_passes_the_second_time_is_named_and_forgiven(
    judge: Judge, workers: int
) -> None:
    status, output = judge(workers=workers, moody=FAILS_ONCE, calm=PASSES)
    assert status == 0, output
    assert "FLAKY: test_moody.py::test_moody" in output


@pytest.mark.slow
def test_a_test_that_fails_twice_fails_the_run(judge: Judge) -> None:
    status, output = judge(moody=FAILS_ONCE, wrong=FAILS_ALWAYS)
    assert status == 1
    assert "FLAKY: test_wrong" not in output


def test_three_flaky_tests_fail_the_run(judge: Judge) -> None:
    names = [f"moody_{number}" for number in range(MOST + 1)]
    status, output = judge(**dict.fromkeys(names, FAILS_ONCE))
    assert (status, "FLAKY" in output) == (1, False)


def test_a_test_of_secrecy_has_no_second_chance(judge: Judge) -> None:
    status, output = judge(secrecy=FAILS_ONCE)
    assert status == 1
    assert "FAILED (never repeated): test_secrecy.py::test_secrecy" in output


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_a_file_that_cannot_be_imported_fails_the_run(judge: Judge, workers: int) -> None:
    status, output = judge(workers=workers, broken=BROKEN, moody=FAILS_ONCE)
    assert status != 0, output


STRICT = {
    "tests/wire/test_kill.py::test_an_acknowledged_move_survives": True,
    "tests/wire/test_bad_cards.py::test_x[1]": True,
    "tests/security/test_limits.py::test_x": True,
    "tests/faults/test_storm.py::test_x": True,
    "tests/games/test_secrecy.py::test_x": True,
    "tests/games/play/test_races.py::test_x": True,
    "tests/perudo_site/test_backups.py::test_x": True,
    "tests/accounts/test_limits.py::test_x": True,
    "tests/e2e/test_pace.py::test_a_tap_continues": False,
    "tests/e2e/test_firefox.py::test_a_whole_game": False,
    "tests/games/play/test_before_start.py::test_x": False,
}


def test_what_is_strict() -> None:
    assert {test: is_strict(test) for test in STRICT} == STRICT
