"""The checks before a commit are those of `make check`, by the same pinned programs."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
CONFIG = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())


def test_every_hook_is_a_program_of_the_project_that_make_check_runs_too() -> None:
    makefile = (ROOT / "Makefile").read_text()
    checked = set(re.findall(r"^\t\$\(BIN\)/([a-z]+)", makefile, flags=re.MULTILINE))
    [repository] = CONFIG["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        assert hook["entry"].split()[0].removeprefix(".venv/bin/") in checked, hook["id"]
