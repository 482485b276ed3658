"""The parts of `make test-all`: each test that is not long runs in one of them, and in one only."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

MAKEFILE = (Path(__file__).resolve().parent.parent / "Makefile").read_text()
MARKS = ("alone", "e2e", "long", "real_server", "slow")


def variable(name: str) -> str:
    found = re.search(rf"^{name} := (.*)$", MAKEFILE, re.MULTILINE)
    assert found
    return found[1]


def parts(target: str) -> list[str]:
    """The expressions over marks by which a target selects its tests."""
    recipe = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert recipe
    found = re.findall(r'-m "([^"]+)"', recipe[1])
    return [variable("QUICK") if each == "$(QUICK)" else each for each in found]


def selected(expression: str, marks: dict[str, bool]) -> bool:
    return bool(eval(expression, {}, marks))  # noqa: S307  an expression of marks is one of Python


def test_every_test_runs_in_one_part() -> None:
    [quick], rest, [long] = parts("quick-tests"), parts("test-rest"), parts("test-long")
    assert len(rest) == 3
    for given in product([False, True], repeat=len(MARKS)):
        marks = dict(zip(MARKS, given, strict=True))
        assert selected(quick, marks) == (not any(given)), marks
        times = [selected(part, marks) for part in (quick, *rest)].count(True)
        assert times == (not marks["long"]), marks
        assert selected(long, marks) == marks["long"], marks
