"""The pinned packages: exactly these versions and these files, wherever the site is installed."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
FILES = {
    "requirements.txt": (),
    "requirements-dev.txt": ("dev",),
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


def test_every_package_has_one_version_and_its_hashes() -> None:
    for file in FILES:
        assert len(pinned(file)) > 30
        for name, (requirement, hashes) in pinned(file).items():
            assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), (file, name)
            assert hashes > 0, (file, name)


def test_what_is_compiled_has_the_hashes_of_many_platforms() -> None:
    compiled = ("psycopg-binary", "hiredis", "cffi")
    few = [(file, name) for file in FILES for name in compiled if pinned(file)[name][1] <= 20]
    assert few == []


def test_what_the_project_asks_for_is_pinned_as_it_asks() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for file, extras in FILES.items():
        asked = [*project["dependencies"]]
        for extra in extras:
            asked += project["optional-dependencies"][extra]
        for requirement in map(Requirement, asked):
            pin, _ = pinned(file)[canonicalize_name(requirement.name)]
            [version] = [each.version for each in pin.specifier]
            assert requirement.specifier.contains(version), (file, requirement)


def test_the_files_agree() -> None:
    smaller, bigger = pinned("requirements.txt"), pinned("requirements-dev.txt")
    assert {name: bigger[name] for name in smaller} == smaller
    assert pinned("requirements-pip.txt") == {"pip": bigger["pip"]}


def test_what_packages_ask_for_is_pinned_for_every_python(subtests: pytest.Subtests) -> None:
    """Packages ask for others on some versions of Python only; Debian 12 has 3.11.2."""
    for version in ("3.11.0", "3.11.2", "3.11.14", "3.12.0", "3.13.0"):
        for file in ("requirements.txt", "requirements-dev.txt"):
            with subtests.test(file=file, version=version):
                assert_pinned_for(version, file)


def assert_pinned_for(version: str, file: str) -> None:
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


def test_no_file_names_a_place_to_install_from() -> None:
    files = [*FILES, "requirements-pip.txt"]
    assert [file for file in files if "://" in (ROOT / file).read_text()] == []
