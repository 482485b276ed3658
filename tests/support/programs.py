"""Programs that documents name: which there are, and a short run of each."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.browser_fixtures import chromium
from tests.support.fixtures import unavailable
from tests.support.live_site import ROOT, clean_environment

DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
TEXT = "\n".join(path.read_text() for path in DOCS)


@dataclass(frozen=True)
class Brief:
    """The arguments of a short run; `{to}` is an empty folder. The dear ones are long tests."""

    arguments: str
    browser: bool = False
    postgres: bool = False
    long: bool = True
    npm: str = ""  # packages that are unpacked into `{to}/node_modules` first


def by_length(programs: dict[str, Brief]) -> list[object]:
    """The names as parameters of a test; the dear ones are long tests."""
    return [
        pytest.param(name, marks=[pytest.mark.long] if brief.long else [])
        for name, brief in programs.items()
    ]


def documented_programs(*folders: str) -> set[str]:
    """The modules of programs that a document names, as a module or, outside tests, as a file."""
    any_of, with_files = "|".join(folders), "|".join(set(folders) - {"tests"})
    named = re.findall(rf"python (?:-m )?((?:{any_of})[./][\w./]+)", TEXT)
    named += re.findall(rf"`((?:{with_files})/[\w/]+\.py)`", TEXT)
    return {_module(name) for name in named}


def existing_programs(*folders: str) -> set[str]:
    """The modules of the programs in these folders."""
    files = [
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if ".venv" not in path.parts
    ]
    found = {_module(str(path.relative_to(ROOT))) for path in files if "__main__" in path.name
             or '__name__ == "__main__"' in path.read_text()}  # fmt: skip
    return {name.removesuffix(".__main__") for name in found}


def _module(name: str) -> str:
    return name.removesuffix(".py").replace("/", ".").rstrip(".")


def run(name: str, brief: Brief, folder: Path, request: pytest.FixtureRequest) -> None:
    """Run it briefly; it must succeed and print something."""
    if brief.browser and not chromium():
        unavailable("Chromium is not installed")
    if brief.npm:
        if not shutil.which("npm"):
            unavailable("npm is not installed")
        install = ["npm", "install", "--silent", "--ignore-scripts", "--prefix", str(folder)]
        subprocess.run([*install, *brief.npm.split()], cwd=folder, check=True)
    arguments = shlex.split(brief.arguments.format(to=folder))
    if brief.postgres:
        arguments += ["--server", request.getfixturevalue("needs_postgres")]
    said = folder / "said"
    with said.open("wb") as out:  # a file: what a program left running would keep a pipe open
        done = subprocess.run(
            [sys.executable, "-m", name, *arguments],
            cwd=ROOT, env=clean_environment(), stdout=out, stderr=out, timeout=500, check=False,
        )  # fmt: skip
    assert done.returncode == 0, said.read_text()
    assert said.read_text(), "It says nothing of what it did."
