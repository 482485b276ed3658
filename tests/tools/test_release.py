"""`make release`: a version in three files, a commit and a tag, or nothing at all."""

from __future__ import annotations

import subprocess
import tomllib
from datetime import date
from pathlib import Path

import pytest

from perudo_site import VERSION
from tools import release as tool
from tools.release import Refused, release

DAY = date(2026, 11, 25)
PASSES, FAILS = ("true",), ("false",)
CHANGELOG = """# Changelog

## Unreleased

### Added
- Play with friends.

### Fixed
- Count the dice.

## 0.8.0 - 2026-01-01

- Begin.
"""


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a version 0.8.0 and something to release."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Mira")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "mira@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "perudo"\nversion = "0.8.0"\n')
    (tmp_path / "perudo_site").mkdir()
    (tmp_path / "perudo_site/__init__.py").write_text('VERSION = "0.8.0"  # written by make\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def test_a_release_writes_the_version_commits_and_tags(project: Path) -> None:
    assert release(project, "0.9.0", on=DAY, checks=PASSES) == "v0.9.0"
    assert 'version = "0.9.0"\n' in (project / "pyproject.toml").read_text()
    written = (project / "perudo_site/__init__.py").read_text()
    assert written == 'VERSION = "0.9.0"  # written by make\n'
    expected = CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n## 0.9.0 - 2026-11-25\n")
    assert (project / "CHANGELOG.md").read_text() == expected
    assert git(project, "status", "--porcelain") == ""
    assert git(project, "log", "--format=%s") == "Release 0.9.0\nBegin"
    assert git(project, "cat-file", "-t", "v0.9.0") == "tag"
    message = git(project, "tag", "--list", "v0.9.0", "--format=%(contents)")
    assert message == (
        "0.9.0\n\n### Added\n- Play with friends.\n\n### Fixed\n- Count the dice."
    )  # fmt: skip


def test_a_version_that_does_not_follow_is_refused(
    project: Path, subtests: pytest.Subtests
) -> None:
    for version, why in [
        ("0.9", "looks like 0.9.0"),
        ("v0.9.0", "looks like 0.9.0"),
        ("0.09.0", "looks like 0.9.0"),
        ("0.8.0", "not higher than 0.8.0"),
        ("0.7.12", "not higher than 0.8.0"),
    ]:
        with subtests.test(version=version):
            _is_refused(project, version, why)


def test_the_tenth_version_is_higher_than_the_ninth(project: Path) -> None:
    release(project, "0.9.0", on=DAY, checks=PASSES)
    changed = (project / "CHANGELOG.md").read_text().replace("d\n", "d\n\n- Next.\n", 1)
    (project / "CHANGELOG.md").write_text(changed)
    git(project, "commit", "--quiet", "--all", "--message", "Go on")
    assert release(project, "0.10.0", on=DAY, checks=PASSES) == "v0.10.0"


def test_a_tree_that_is_not_clean_is_refused(project: Path) -> None:
    (project / "new").touch()
    _is_refused(project, "0.9.0", "not clean")


def test_another_branch_is_refused(project: Path) -> None:
    git(project, "switch", "--quiet", "--create", "idea")
    _is_refused(project, "0.9.0", "made from main")


def test_a_tag_that_exists_is_refused(project: Path) -> None:
    git(project, "tag", "v0.9.0")
    _is_refused(project, "0.9.0", "a tag v0.9.0 already")


def test_nothing_to_release_is_refused(project: Path) -> None:
    release(project, "0.9.0", on=DAY, checks=PASSES)
    _is_refused(project, "0.10.0", "lists nothing")


def test_checks_that_fail_are_refused(project: Path) -> None:
    _is_refused(project, "0.9.0", "“false” failed", checks=FAILS)


def test_checks_that_write_into_the_tree_are_refused(project: Path) -> None:
    with pytest.raises(Refused, match="not clean"):
        release(project, "0.9.0", on=DAY, checks=("touch", "left-behind"))


def test_the_project_has_one_version_and_a_place_for_what_is_not_released() -> None:
    stated = tomllib.loads((tool.ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert stated == VERSION
    for name, line in tool._LINES.items():
        assert line.search((tool.ROOT / name).read_text()), name
    assert "\n## Unreleased\n" in (tool.ROOT / "CHANGELOG.md").read_text()


def _is_refused(project: Path, version: str, why: str, *, checks: tuple[str, ...] = PASSES) -> None:
    """With this reason, and nothing is changed."""
    before = (git(project, "rev-parse", "HEAD"), git(project, "tag"), git(project, "diff"))
    with pytest.raises(Refused, match=why):
        release(project, version, on=DAY, checks=checks)
    assert (git(project, "rev-parse", "HEAD"), git(project, "tag"), git(project, "diff")) == before
