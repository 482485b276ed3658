"""People of browser tests who share a site need names of their own: a taken one is refused."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SHARED = "unhurried_site"


def names_on_the_shared_site(test: ast.FunctionDef) -> Iterator[str]:
    """The names that a test gives to people there, in calls that name the site."""
    for call in (node for node in ast.walk(test) if isinstance(node, ast.Call)):
        if any(isinstance(given, ast.Name) and given.id == SHARED for given in call.args):
            constants = (given for given in call.args if isinstance(given, ast.Constant))
            yield from {str(each.value) for each in constants}


def test_no_two_tests_name_somebody_of_the_shared_site_alike() -> None:
    named: Counter[str] = Counter()
    for file in sorted(Path(__file__).parent.joinpath("e2e").rglob("test_*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                named.update(set(names_on_the_shared_site(node)))
    assert len(named) > 10
    # In small letters it is what somebody does ("friend"), and nobody signs up with it.
    assert [name for name, times in named.items() if times > 1 and name != name.lower()] == []
