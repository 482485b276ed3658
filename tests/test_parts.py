"""The parts of `make test`: each test that is not long runs in one of them, and in one only."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

MAKEFILE = (Path(__file__).resolve().parent.parent / "Makefile").read_text()
MARKS = ("e2e", "real_server", "alone", "long")


def parts(target: str) -> list[str]:
    """The expressions over marks by which a target selects its tests."""
    recipe = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert recipe
    return re.findall(r'-m "([^"]+)"', recipe[1])


def selected(expression: str, marks: dict[str, bool]) -> bool:
    return bool(eval(expression, {}, marks))  # noqa: S307  an expression of marks is one of Python


@pytest.mark.parametrize("given", [*product([False, True], repeat=len(MARKS))])
def test_every_test_runs_in_one_part(given: tuple[bool, ...]) -> None:
    marks = dict(zip(MARKS, given, strict=True))
    assert len(parts("test")) == 3
    assert sum(selected(part, marks) for part in parts("test")) == (not marks["long"])
    assert [selected(part, marks) for part in parts("test-long")] == [marks["long"]]
