"""Every command that the documents name still runs, briefly."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.support.fixtures import PASSWORD
from tests.support.live_site import ROOT, clean_environment, free_port, manage
from tests.support.programs import (
    TEXT,
    Brief,
    by_length,
    documented_programs,
    existing_programs,
    run,
)

PROGRAMS = {
    "benchmarks.click_to_paint": Brief("--moves 3 --pause 0.05", browser=True),
    "benchmarks.load": Brief(
        "--tables 1 --set-ups sqlite --seconds 0.5 --warm 0.2 --watchers --no-age --moves 20"
    ),
    "benchmarks.page_weight": Brief(""),
    "tools.daily_rounds": Brief("--to {to} --rounds 3"),
    "tools.contact_sheets": Brief(
        "--to {to} --game perudo --screens 320x568 --states turn --seats 2", browser=True
    ),
    "tools.faces": Brief("--to {to}", browser=True),
    "tools.fonts": Brief(
        "{to}/node_modules/@fontsource --to {to}",
        npm="@fontsource/alegreya@5.3.0 @fontsource/alegreya-sans@5.3.0",
    ),
    "tools.icons": Brief("--to {to}", browser=True),
    "tools.preview_art": Brief("--to {to}", browser=True),
    "tools.record_schema": Brief("--to {to}", long=False),
    "tools.recordings": Brief("roll --to {to}", browser=True),
    "tools.release": Brief("--help", long=False),  # tests/tools/test_release.py
    "tools.screenshots": Brief("--to {to}", browser=True),
    "tools.sounds": Brief("--to {to}", long=False),
    "tools.weave": Brief("--to {to}", long=False),
    "tools.wood": Brief("--to {to}", long=False),
    "tests.faults": Brief("--alone --without-jumps --minutes 0.1 --games 2 --thinking 1"),
    "tests.security.fuzz": Brief("--inputs 50"),
}
# These run as parts of others, or in tests of their own (tests/benchmarks/test_report.py).
PARTS_OF_OTHERS = {
    "benchmarks.load.report",
    "benchmarks.load.stage",
    "tools.synthesis",
}
# Commands of manage.py, in an order in which each finds what it needs.
MANAGE = {
    "migrate": "--verbosity 0",
    "collectstatic": "--no-input --verbosity 0",
    "createsuperuser": "--no-input --username mira --email moderator@example.org",
    "clearsessions": "",
    "review_games": "--limit 1",
    "fit_judge": "",
    "rebuild_ratings": "",
    "award_marks": "--limit 1",
    "backup": "{to}/backup",
    "restore": "{to}/backup --replace",
    "repeat_deletions": "{to}/deleted_accounts",
    "sendtestemail": "mira@example.org",
}
ELSEWHERE = {
    "copy_to": "tests/perudo_site/test_copying.py",
    "check_record": "tests/games/management/test_check_record.py",
    "read_confusables": "tests/accounts/test_names.py",
    "serve": "tests/support/live_site.py",
    "remove_two_factor": "tests/accounts/test_two_factor.py",
}


def documented(pattern: str) -> list[str]:
    """Commands in code spans and code blocks, each once."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", TEXT, flags=re.M | re.S))
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return sorted({found for each in (*lines, *spans) for found in re.findall(pattern, each)})


def test_every_program_has_a_brief_run() -> None:
    named = documented_programs("benchmarks", "tests", "tools")
    assert named | existing_programs("benchmarks", "tools") == set(PROGRAMS) | PARTS_OF_OTHERS


def test_every_documented_command_of_manage_py_is_run() -> None:
    named = documented(r"(?:manage\.py|^perudo|&& perudo) ([a-z_]+)")
    assert set(named) | set(ELSEWHERE) == set(MANAGE) | set(ELSEWHERE)
    assert all(f'"{name}"' in (ROOT / file).read_text() for name, file in ELSEWHERE.items())


@pytest.mark.slow
@pytest.mark.parametrize("name", by_length(PROGRAMS))
def test_a_documented_program_runs(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    run(name, PROGRAMS[name], tmp_path, request)


def test_the_documented_commands_of_manage_py_run(prepared_folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(prepared_folder, data)
    (tmp_path / "deleted_accounts").touch()
    for command, arguments in MANAGE.items():
        words = shlex.split(arguments.format(to=tmp_path))
        done = manage(command, *words, DATA_DIR=str(data), DJANGO_SUPERUSER_PASSWORD=PASSWORD)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def test_the_documented_targets_exist() -> None:
    targets = documented(r"^(?:\S+=\S+ )*make ([a-z-]+)$")
    assert len(targets) > 8
    words = ["make", "--dry-run", "--keep-going", *targets]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", documented(r"pytest (.*tests/.*)"))
def test_a_documented_choice_of_tests_finds_some(command: str) -> None:
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", *shlex.split(command)]
    done = subprocess.run(
        words, cwd=ROOT, env=os.environ | {"PYTEST_ADDOPTS": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_the_site_runs_in_a_new_clone_with_an_empty_home(tmp_path: Path) -> None:
    clone, home, port = tmp_path / "clone", tmp_path / "home", free_port()
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    home.mkdir()
    with subprocess.Popen(
        ["make", "run"], cwd=clone, start_new_session=True,
        env=clean_environment(HOME=str(home), PORT=str(port)),
    ) as server:  # fmt: skip
        try:
            deadline = time.monotonic() + 300
            while not _answers(f"http://127.0.0.1:{port}/"):
                assert server.poll() is None, "`make run` has ended."
                assert time.monotonic() < deadline, "`make run` does not serve."
                time.sleep(0.5)
        finally:
            os.killpg(server.pid, signal.SIGINT)  # as Ctrl-C does it
            server.wait(60)


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=10).is_success
    except httpx.TransportError:
        return False
