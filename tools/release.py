"""Releases the project: `make release VERSION=0.9.0` checks, writes the version, commits and tags.

The version goes into pyproject.toml, perudo_site/__init__.py and CHANGELOG.md, where what stands
under "Unreleased" gets it as its heading, and into an annotated tag with those lines. Nothing is
changed unless everything fits: a clean tree on `main`, a version that is higher than the one
before, something to release, and checks that pass. Nothing is pushed either.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
BRANCH: Final = "main"
CHECKS: Final = ("make", "check")
_VERSION: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_UNRELEASED: Final = re.compile(r"^## Unreleased\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
# The line that holds the version of each file.
_LINES: Final = {
    "pyproject.toml": re.compile(r'^version = "(.*)"$', re.MULTILINE),
    "perudo_site/__init__.py": re.compile(r'^VERSION = "([^"]*)"', re.MULTILINE),
}


class Refused(Exception):
    """Nothing was changed; the message is one sentence that says why."""


def release(root: Path, version: str, *, on: date, checks: Sequence[str] = CHECKS) -> str:
    """Release what the checkout `root` holds; the name of the new tag."""
    tag = f"v{version}"
    if not _VERSION.fullmatch(version):
        raise Refused(f"A version looks like 0.9.0, not like “{version}”.")
    if _git(root, "branch", "--show-current") != BRANCH:
        raise Refused(f"Releases are made from {BRANCH}; check it out first.")
    _check_is_clean(root)
    if _git(root, "tag", "--list", tag):
        raise Refused(f"There is a tag {tag} already.")
    for name, line in _LINES.items():
        before = _found(line, root / name)[1]
        if _parts(version) <= _parts(before):
            raise Refused(f"{version} is not higher than {before}, the version in {name}.")
    changes = _found(_UNRELEASED, root / "CHANGELOG.md")[1].strip()
    if not changes:
        raise Refused("CHANGELOG.md lists nothing under “Unreleased”.")
    if subprocess.run(checks, cwd=root, check=False).returncode:  # noqa: S603  our own checks
        raise Refused(f"“{' '.join(checks)}” failed.")
    _check_is_clean(root)  # the checks may have written something

    for name, line in _LINES.items():
        _replace_group(root / name, line, version)
    heading = f"## Unreleased\n\n## {version} - {on:%Y-%m-%d}\n"
    _replace(root / "CHANGELOG.md", "## Unreleased\n", heading)
    _git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    # `verbatim` keeps headings, which git would take for comments.
    message = f"{version}\n\n{changes}\n"
    _git(root, "tag", "--annotate", "--cleanup=verbatim", tag, "--message", message)
    return tag


def _check_is_clean(root: Path) -> None:
    if _git(root, "status", "--porcelain"):
        raise Refused("The working tree is not clean; commit or stash what is in it.")


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _found(pattern: re.Pattern[str], file: Path) -> re.Match[str]:
    match = pattern.search(file.read_text(encoding="utf-8"))
    if match is None:
        raise Refused(f"{file.name} has no place for the version.")
    return match


def _replace_group(file: Path, pattern: re.Pattern[str], new: str) -> None:
    match = _found(pattern, file)
    _replace(file, match[0], match[0].replace(match[1], new))


def _replace(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(  # noqa: S603
        ["git", *words],  # noqa: S607
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Refused(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", help="for example 0.9.0")
    try:
        tag = release(ROOT, parser.parse_args().version, on=datetime.now(UTC).date())
    except Refused as refused:
        sys.exit(str(refused))
    print(f"Released as {tag}. `git push --follow-tags` publishes it.")


if __name__ == "__main__":
    main()
