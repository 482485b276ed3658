"""The pages about the rules stay true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.core.contract import Rules
from games.perudo.rules.options import CHOICES, PRESETS

ROOT = Path(__file__).parents[3]
RULES = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
ADDING = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
NUMBERS = [f"P{number}" for number in range(1, 50)]
MEMBERS = {name for name in {*Rules.__annotations__, *vars(Rules)} if not name.startswith("_")}


def cited(text: str) -> set[str]:
    """The rule numbers in a text; "P35 to P38" names them all."""
    ranges = re.findall(r"\bP(\d+) to P(\d+)\b", text)
    spanned = {f"P{n}" for first, last in ranges for n in range(int(first), int(last) + 1)}
    return spanned | set(re.findall(r"\bP\d{1,2}\b", text))


def test_every_rule_is_stated_once_and_in_order() -> None:
    assert re.findall(r"^- \*\*(P\d+)\*\*", RULES, flags=re.MULTILINE) == NUMBERS


def test_every_rule_is_cited_by_the_tests_and_none_is_made_up() -> None:
    tests = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    assert set.union(*map(cited, tests)) == set(NUMBERS)


def test_the_code_cites_only_rules_that_are_stated() -> None:
    code = [path for path in Path(__file__).parents[1].rglob("*.py") if "tests" not in path.parts]
    found = set.union(*(cited(path.read_text(encoding="utf-8")) for path in code))
    assert found <= set(NUMBERS)
    assert len(found) > 40


def test_the_table_of_settings_says_what_each_preset_plays(subtests: pytest.Subtests) -> None:
    for setting in CHOICES:
        with subtests.test(setting=setting):
            section = RULES.split("## Settings and presets")[1].split("\n## ")[0]
            [row] = re.findall(rf"^\| `{setting}` \|(.*)\|$", section, flags=re.MULTILINE)
            values, rule, *presets = (cell.strip() for cell in row.split("|"))
            assert [value.strip("`") for value in values.split(", ")] == [
                str(value).lower() for value in CHOICES[setting]
            ]
            assert cited(rule)
            played = [str(getattr(options, setting)).lower() for options in PRESETS.values()]
            assert presets == played


def test_the_table_of_settings_names_the_presets_in_their_order() -> None:
    [head] = re.findall(r"^\| setting \| values \| rule \| (.*) \|$", RULES, flags=re.MULTILINE)
    assert head.split(" | ") == list(PRESETS)


def test_adding_a_game_begins_with_copying_perudo() -> None:
    steps = re.findall(r"^(\d+)\. (.+)", ADDING, flags=re.MULTILINE)
    assert [int(number) for number, _ in steps] == list(range(1, len(steps) + 1))
    assert steps[0][1].startswith("Copy `games/perudo`")


def test_adding_a_game_names_every_part_of_the_contract() -> None:
    assert [member for member in sorted(MEMBERS) if f"`{member}`" not in ADDING] == []


def test_adding_a_game_names_files_that_exist() -> None:
    files = set(re.findall(r"`([a-z_]+\.py)`", ADDING))
    code = ROOT / "games" / "perudo" / "rules"
    tests = Path(__file__).parent
    assert files <= {path.name for place in (code, tests, tests.parent) for path in place.iterdir()}
