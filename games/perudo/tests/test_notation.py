"""The text record reads like a score sheet, one line a round, whatever the players are called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.contract import Fact
from games.core.game_record import Record, RecordError, from_json, to_json
from games.perudo import rules
from games.perudo.rules.notation import to_text
from games.perudo.rules.options import Options
from games.perudo.tests.random_games import steps
from tests.games.contract.random_games import facts_of, seeded

GOLDEN = Path(__file__).parent / "golden"
BY_HAND = from_json(rules, (GOLDEN / "by_hand.json").read_text(encoding="utf-8"))
LINES = (GOLDEN / "by_hand.txt").read_text(encoding="utf-8").split("\n")[:-1]
a_name = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def played(seed: int, options: Options | None = None) -> Record:
    facts = tuple(facts_of(steps(seeded(seed), options=options)))
    seats: int = facts[0].seats  # type: ignore[attr-defined]
    return Record("perudo", ("Ada", "Ben", "Cleo", "Dan", "Eve", "Flo")[:seats], facts)


def count(facts: tuple[Fact, ...], kind: str) -> int:
    return sum(fact.kind == kind for fact in facts)


def test_the_header_names_the_game_the_day_the_rules_and_the_players() -> None:
    assert LINES[:2] == ["Perudo record, version 1", "Date: 2024-02-29"]
    assert LINES[2].startswith("Rules: starter=one_die raise_rule=one_only ")
    assert LINES[3:6] == [
        'Player A: "Ada"',
        'Player B: "Ben \\"the toucan\\" \\u2028"',
        'Player C: "Cléo"',
    ]


def test_a_record_without_a_date_has_no_line_for_it() -> None:
    lines = to_text(replace(BY_HAND, date=None)).split("\n")[:-1]
    assert lines == [LINES[0], *LINES[2:]]


def test_rolls_calls_leavers_and_the_result_are_written() -> None:
    assert LINES[6:] == [
        "Starter: A 6 B 6 C P",
        "Starter: A 2 B 5",
        "1. B opens | A P2346 B 22456 C P3346 | B 3x2, A claims, C 2xP, A dudo: 2, A loses",
        "2. A opens | A 2346 B 22456 C P3346 | A 4x2, C claims, C calza: 4",
        "3. C opens | A 2346 B 22456 C P3346 | C 1x3, A 2x3, B calza: 4, B loses, A leaves, A out",
        "4. B opens | B 2245 C P3346 | B 1x2, C leaves, C out",
        "Result: B C A (others_left)",
    ]


def test_a_game_is_written_one_line_a_round() -> None:
    record = played(5)
    lines = to_text(record).splitlines()
    assert sum(" opens" in line for line in lines) == count(record.facts, "round_started")
    assert lines[-1].startswith("Result: ")


def test_a_palifico_round_is_marked() -> None:
    record = played(5, Options())
    marked = [line for line in to_text(record).splitlines() if " opens palifico | " in line]
    assert len(marked) == count(record.facts, "palifico_announced") > 0


HOSTILE = [
    "",
    '"',
    "\\",
    '\\"',
    "\n",
    'Ada\nPlayer D: "Mallory"',
    'Ada"\nResult: A B C (last_with_dice)',
    "\r\n1. A opens | A P | A 1x2",
    "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e",
    "A | B \u2502 C \uff5c",
    "\u202eadA",
    "\x00\x1b[31m",
    "\U0001f3b2\U000e0001",
    "e\u0301",
    "Player A: ",
    "x" * 150,
]


def test_a_hostile_name_stays_on_its_line(subtests: pytest.Subtests) -> None:
    for name in HOSTILE:
        with subtests.test(name=name):
            record = replace(BY_HAND, players=(name, name, "C"))
            lines = to_text(record).splitlines()
            assert len(lines) == len(LINES)
            assert lines[3].isprintable() and lines[3].startswith('Player A: "')
            assert lines[5:] == ['Player C: "C"', *LINES[6:]]
            assert from_json(rules, to_json(record)) == record


@given(names=st.lists(a_name, min_size=3, max_size=3))
def test_any_name_stays_on_its_line(names: list[str]) -> None:
    lines = to_text(replace(BY_HAND, players=tuple(names))).splitlines()
    assert len(lines) == len(LINES) and lines[6:] == LINES[6:]
    assert all(line.isprintable() for line in lines)


def test_a_game_that_still_runs_is_not_written() -> None:
    with pytest.raises(RecordError, match="not over"):
        to_text(replace(BY_HAND, facts=BY_HAND.facts[:-2]))
