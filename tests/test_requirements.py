"""The pinned packages: exactly these versions and these files, wherever the site is installed."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.fixtures import unavailable

ROOT = Path(__file__).resolve().parent.parent
FILES = {
    "requirements.txt": (),
    "requirements-dev.txt": ("dev",),
    "requirements-bench.txt": ("dev", "bench"),
    "requirements-train.txt": ("dev", "train"),
}
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


@cache
def pinned(file: str) -> dict[str, tuple[Requirement, int]]:
    """By the name of the package: what the file says, and how many hashes it has."""
    text = re.sub(r"(?m)^\s*#.*$", "", (ROOT / file).read_text()).replace("\\\n", " ")
    found = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        what, *hashes = line.split()
        assert all(HASH.fullmatch(each) for each in hashes), line
        requirement = Requirement(what)
        found[canonicalize_name(requirement.name)] = (requirement, len(hashes))
    return found


@pytest.mark.parametrize("file", FILES)
def test_every_package_has_one_version_and_its_hashes(file: str) -> None:
    assert len(pinned(file)) > 30
    for name, (requirement, hashes) in pinned(file).items():
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), name
        assert hashes > 0, name


@pytest.mark.parametrize("file", FILES)
def test_what_is_compiled_has_the_hashes_of_many_platforms(file: str) -> None:
    assert all(pinned(file)[name][1] > 20 for name in ("psycopg-binary", "hiredis", "cffi"))


@pytest.mark.parametrize(("file", "extras"), FILES.items())
def test_what_the_project_asks_for_is_pinned_as_it_asks(file: str, extras: tuple[str, ...]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"]]
    for extra in extras:
        asked += project["optional-dependencies"][extra]
    for requirement in map(Requirement, asked):
        [version] = [
            each.version for each in pinned(file)[canonicalize_name(requirement.name)][0].specifier
        ]
        assert requirement.specifier.contains(version), requirement


def test_the_files_agree() -> None:
    smaller, bigger = pinned("requirements.txt"), pinned("requirements-dev.txt")
    assert {name: bigger[name] for name in smaller} == smaller
    assert {name: pinned("requirements-bench.txt")[name] for name in bigger} == bigger
    assert pinned("requirements-pip.txt") == {"pip": bigger["pip"]}


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
@pytest.mark.parametrize("version", ["3.11.0", "3.11.2", "3.11.14", "3.12.0", "3.13.0"])
def test_what_packages_ask_for_is_pinned_for_every_python(file: str, version: str) -> None:
    """Packages ask for others on some versions of Python only; Debian 12 has 3.11.2."""
    minor = version.rpartition(".")[0]
    python = {**default_environment(), "python_full_version": version, "python_version": minor}
    looked = 0
    for name in pinned(file):
        try:
            asked = requires(name) or []
        except PackageNotFoundError:  # not for this Python
            continue
        for requirement in map(Requirement, asked):
            if requirement.marker is None or requirement.marker.evaluate({**python, "extra": ""}):
                looked += 1
                assert canonicalize_name(requirement.name) in pinned(file), requirement
    assert looked > 30


@pytest.mark.parametrize("file", [*FILES, "requirements-pip.txt"])
def test_no_file_names_a_place_to_install_from(file: str) -> None:
    assert "://" not in (ROOT / file).read_text()


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_every_pin_has_a_wheel(file: str) -> None:
    """So that nothing is ever built where the site is installed; asked of the index."""
    pip = "pip install --disable-pip-version-check --dry-run --no-deps --ignore-installed"
    asks = [*pip.split(), "--only-binary", ":all:", "--require-hashes", "-r", file]
    done = subprocess.run(
        [sys.executable, "-m", *asks], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode and "NewConnectionError" in done.stderr:
        unavailable("No package index is reached")
    assert done.returncode == 0, done.stderr
