"""The page about the rules of Peco Peco stays true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from games.peco_peco.rules.options import PRESETS, Options
from games.peco_peco.rules.reasons import Reason

ROOT = Path(__file__).parents[3]
RULES = (ROOT / "docs" / "rules-peco-peco.md").read_text(encoding="utf-8")
NUMBERS = [f"Q{number}" for number in range(1, 44)]


def cited(text: str) -> set[str]:
    """The rule numbers in a text; "Q35 to Q38" names them all."""
    ranges = re.findall(r"\bQ(\d+) to Q(\d+)\b", text)
    spanned = {f"Q{n}" for first, last in ranges for n in range(int(first), int(last) + 1)}
    return spanned | set(re.findall(r"\bQ\d{1,2}\b", text))


def test_every_rule_is_stated_once_and_in_order() -> None:
    assert re.findall(r"^- \*\*(Q\d+)\*\*", RULES, flags=re.MULTILINE) == NUMBERS


def test_the_code_cites_only_rules_that_are_stated() -> None:
    code = [path for path in Path(__file__).parents[1].rglob("*.py") if "tests" not in path.parts]
    found = set.union(*(cited(path.read_text(encoding="utf-8")) for path in code))
    assert found <= set(NUMBERS)
    assert len(found) > 35


def test_the_open_questions_are_those_that_the_code_cites() -> None:
    """B10: numbered without a gap, and every citation finds its row."""
    section = RULES.split("## Open questions")[1].split("\n## ")[0]
    numbers = list(map(int, re.findall(r"^\| (\d+) \| ", section, flags=re.MULTILINE)))
    assert numbers == list(range(1, 35))
    files = Path(__file__).parents[1].rglob("*.py")
    texts = [path.read_text(encoding="utf-8") for path in files]
    found = {int(number) for text in texts for number in re.findall(r"B10, (\d+)", text)}
    assert found <= set(numbers) and len(found) >= 8
    assert cited(section) <= set(NUMBERS)


def test_every_reason_code_is_explained_in_its_order() -> None:
    section = RULES.split("## Reason codes")[1].split("\n## ")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \| ", section, flags=re.MULTILINE)) == get_args(Reason)


def test_the_table_of_settings_says_what_each_preset_plays(subtests: pytest.Subtests) -> None:
    [head] = re.findall(r"^\| setting \| values \| rule \| (.*) \|$", RULES, flags=re.MULTILINE)
    assert head.split(" | ") == list(PRESETS)
    for setting in Options.__dataclass_fields__:
        with subtests.test(setting=setting):
            [row] = re.findall(rf"^\| `{setting}` \|(.*)\|$", RULES, flags=re.MULTILINE)
            _, rule, *played = (cell.strip() for cell in row.split("|"))
            assert cited(rule)
            assert played == [str(getattr(each, setting)).lower() for each in PRESETS.values()]
