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
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.support.browser_fixtures import chromium
from tests.support.fixtures import PASSWORD, unavailable
from tests.support.live_site import ROOT, clean_environment, free_port, manage

DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
TEXT = "\n".join(path.read_text() for path in DOCS)


@dataclass(frozen=True)
class Brief:
    """The arguments of a short run; `{to}` is an empty folder. The dear ones are long tests."""

    arguments: str
    browser: bool = False
    postgres: bool = False
    long: bool = True
    npm: str = ""  # a package that is unpacked into `{to}/package` first


ONE_GAME = "--games 2 --workers 1"
PROGRAMS = {
    "benchmarks.calls": Brief("--games 2"),
    "benchmarks.click_to_paint": Brief("--moves 3 --pause 0.05", browser=True),
    "benchmarks.crowd": Brief("--help", long=False),  # long_life runs it
    "benchmarks.daily_flood": Brief("--seconds 2 --rounds 1 --answers 60"),
    "benchmarks.endings": Brief(
        f"peco_peco --seats 4 {ONE_GAME} --bots easy medium --file {{to}}/endings.jsonl",
        long=False,
    ),
    "benchmarks.evening": Brief("--hours 1 --seed 7"),
    "benchmarks.engine": Brief("--seconds 0.2", long=False),
    "benchmarks.frame_cost": Brief("--frames 3 --rounds 1", browser=True),
    "benchmarks.frames": Brief("--seats 4"),
    "benchmarks.get_flood": Brief("--seconds 1 --connections 5 --path /"),
    "benchmarks.greedy_address": Brief("--seconds 1 --guests 2 --share 4"),
    "benchmarks.home_page": Brief("--times 2"),
    "benchmarks.idle_page": Brief("--seconds 0.5 --rounds 1", browser=True),
    "benchmarks.idle_people": Brief("--people 5 --seconds 1"),
    "benchmarks.judge": Brief("--games 2 --kinds expert steady --workers 1", long=False),
    "benchmarks.length": Brief(f"peco_peco --seats 4 {ONE_GAME}", long=False),
    "benchmarks.lighthouse": Brief(
        "--runs 1 --goal 0 --only home --report {to}/report.md --keep {to}", browser=True
    ),
    "benchmarks.load": Brief(
        "--tables 1 --set-ups sqlite --seconds 0.5 --warm 0.2 --watchers --no-age --moves 20"
    ),
    "benchmarks.long_life": Brief(
        "--games 400 --small 300 --people 8 --pool 20 --times 2", postgres=True
    ),
    "benchmarks.long_tasks": Brief("--rounds 1", browser=True),
    "benchmarks.misjudged": Brief(
        "--games 1 --seats 4 --tables mixed --every 150 --drawn 1 --true 1", long=False
    ),
    "benchmarks.page_weight": Brief(""),
    "benchmarks.processes": Brief(
        "--processes 1 2 --tables 3 --seconds 2 --warm 3 --pace 0.5", postgres=True
    ),
    "benchmarks.replay_steps": Brief("--seats 4"),
    "benchmarks.review_queue": Brief("--reviews 4 --rounds 1 --seconds 1"),
    "benchmarks.tournament": Brief(
        "perudo --hero sharp --field steady --seats 3 --games 2 --workers 1 --set calza=on",
        long=False,
    ),
    "tools.daily_rounds": Brief("--to {to} --rounds 3", long=False),
    "tools.fonts": Brief("{to}/package --to {to}", npm="@fontsource/alegreya@5.3.0"),
    "tools.icons": Brief("--to {to}", browser=True),
    "tools.preview_art": Brief("--to {to}", browser=True),
    "tools.record_schema": Brief("--to {to}", long=False),
    "tools.recordings": Brief("roll --to {to}", browser=True),
    "tools.release": Brief("--help", long=False),  # tests/tools/test_release.py
    "tools.screenshots": Brief("--to {to}", browser=True),
    "tools.solve_two_left": Brief("--help", long=False),  # tests/tools/test_solve_two_left.py
    "tools.sounds": Brief("--to {to}", long=False),
    "tools.train_expert": Brief("--help", long=False),  # tests/tools/test_training.py
    "tests.faults": Brief("--alone --without-jumps --minutes 0.1 --games 2 --thinking 1"),
    "tests.security.fuzz": Brief("--inputs 50"),
}
# These run as parts of others, or in tests of their own (tests/benchmarks/test_report.py).
PARTS_OF_OTHERS = {
    "benchmarks.load.report",
    "benchmarks.load.stage",
    "benchmarks.visits",
    "tools.synthesis",
}
# Commands of manage.py, in an order in which each finds what it needs.
MANAGE = {
    "migrate": "--verbosity 0",
    "collectstatic": "--no-input --verbosity 0",
    "createsuperuser": "--no-input --username mira --email moderator@example.org",
    "clearsessions": "",
    "review_games": "--limit 1",
    "backup": "{to}/backup",
    "restore": "{to}/backup --replace",
    "repeat_deletions": "{to}/deleted_accounts",
    "sendtestemail": "mira@example.org",
}
ELSEWHERE = {
    "check_record": "tests/games/management/test_check_record.py",
    "read_confusables": "tests/accounts/test_names.py",
    "serve": "tests/support/live_site.py",
    "remove_two_factor": "tests/accounts/test_two_factor.py",
}


def _module(name: str) -> str:
    return name.removesuffix(".py").replace("/", ".").rstrip(".")


def documented_programs() -> set[str]:
    """The modules of programs that a document names, as a module or as a file."""
    named = re.findall(r"python (?:-m )?((?:benchmarks|tests|tools)[./][\w./]+)", TEXT)
    named += re.findall(r"`((?:benchmarks|tools)/[\w/]+\.py)`", TEXT)
    return {_module(name) for name in named}


def existing_programs() -> set[str]:
    """The modules of the programs that the project has for those who work on it."""
    files = [path for part in ("benchmarks", "tools") for path in ROOT.glob(f"{part}/**/*.py")]
    found = {_module(str(path.relative_to(ROOT))) for path in files if "__main__" in path.name
             or '__name__ == "__main__"' in path.read_text()}  # fmt: skip
    return {name.removesuffix(".__main__") for name in found}


def documented(pattern: str) -> list[str]:
    """Commands in code spans and code blocks, each once."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", TEXT, flags=re.M | re.S))
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return sorted({found for each in (*lines, *spans) for found in re.findall(pattern, each)})


def test_every_program_has_a_brief_run() -> None:
    assert documented_programs() | existing_programs() == set(PROGRAMS) | PARTS_OF_OTHERS


def test_every_documented_command_of_manage_py_is_run() -> None:
    named = documented(r"(?:manage\.py|^perudo|&& perudo) ([a-z_]+)")
    assert set(named) | set(ELSEWHERE) == set(MANAGE) | set(ELSEWHERE)
    assert all(f'"{name}"' in (ROOT / file).read_text() for name, file in ELSEWHERE.items())


def _run(name: str, folder: Path, request: pytest.FixtureRequest) -> None:
    brief = PROGRAMS[name]
    if brief.browser and not chromium():
        unavailable("Chromium is not installed")
    if brief.npm:
        if not shutil.which("npm"):
            unavailable("npm is not installed")
        packed = ["npm", "pack", "--silent", brief.npm]
        archive = subprocess.check_output(packed, cwd=folder, text=True).strip()  # noqa: S603
        shutil.unpack_archive(folder / archive, folder, filter="data")
    arguments = shlex.split(brief.arguments.format(to=folder))
    if brief.postgres:
        arguments += ["--server", request.getfixturevalue("needs_postgres")]
    said = folder / "said"
    with said.open("wb") as out:  # a file: what a program left running would keep a pipe open
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", name, *arguments],
            cwd=ROOT, env=clean_environment(), stdout=out, stderr=out, timeout=500, check=False,
        )  # fmt: skip
    assert done.returncode == 0, said.read_text()
    assert said.read_text(), "It says nothing of what it did."


@pytest.mark.parametrize("name", [name for name, brief in PROGRAMS.items() if not brief.long])
def test_a_documented_program_runs(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    _run(name, tmp_path, request)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name, brief in PROGRAMS.items() if brief.long])
def test_a_documented_dear_program_runs(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    _run(name, tmp_path, request)


def test_the_documented_commands_of_manage_py_run(prepared_folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(prepared_folder, data)
    (tmp_path / "deleted_accounts").touch()
    for command, arguments in MANAGE.items():
        words = shlex.split(arguments.format(to=tmp_path))
        done = manage(command, *words, DATA_DIR=str(data), DJANGO_SUPERUSER_PASSWORD=PASSWORD)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


@pytest.mark.parametrize("target", documented(r"^(?:\S+=\S+ )*make ([a-z-]+)$"))
def test_a_documented_target_exists(target: str) -> None:
    done = subprocess.run(  # noqa: S603
        ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", documented(r"pytest (.*tests/.*)"))
def test_a_documented_choice_of_tests_finds_some(command: str) -> None:
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", *shlex.split(command)]
    done = subprocess.run(  # noqa: S603
        words, cwd=ROOT, env=os.environ | {"PYTEST_ADDOPTS": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_the_site_runs_in_a_new_clone_with_an_empty_home(tmp_path: Path) -> None:
    clone, home, port = tmp_path / "clone", tmp_path / "home", free_port()
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)  # noqa: S603
    home.mkdir()
    with subprocess.Popen(  # noqa: S603
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
