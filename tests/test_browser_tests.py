"""What makes browser tests fail now and then, seen in their source."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

E2E = Path(__file__).parent / "e2e"
FUNCTION = re.compile(r"(\([\w, ]*\)|\w+) => ")
SHARED = "unhurried_site"


def names_on_the_shared_site(test: ast.FunctionDef) -> Iterator[str]:
    """The names that a test gives to people there, in calls that name the site."""
    for call in (node for node in ast.walk(test) if isinstance(node, ast.Call)):
        if any(isinstance(given, ast.Name) and given.id == SHARED for given in call.args):
            constants = (given for given in call.args if isinstance(given, ast.Constant))
            yield from {str(each.value) for each in constants}


def test_no_two_tests_name_somebody_of_the_shared_site_alike() -> None:
    """A taken name is refused."""
    named: Counter[str] = Counter()
    for file in sorted(E2E.rglob("test_*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                named.update(set(names_on_the_shared_site(node)))
    assert len(named) > 10
    # In small letters it is what somebody does ("friend"), and nobody signs up with it.
    assert [name for name, times in named.items() if times > 1 and name != name.lower()] == []


def test_what_a_page_waits_for_is_a_function() -> None:
    """An expression is evaluated again and again, which the pages' policy forbids after the first
    time: it fails unless it is true at once.
    """
    waits = [
        (file.name, call.args[0].value)
        for file in E2E.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "wait_for_function"
        and isinstance(call.args[0], ast.Constant)
    ]
    assert len(waits) > 5
    assert [wait for wait in waits if not FUNCTION.match(wait[1])] == []
