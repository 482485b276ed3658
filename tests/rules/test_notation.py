"""The text record reads like a score sheet, and is read back only if it is true."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.record import MAX_CHARACTERS, RecordError
from games.rules.contract import Fact
from games.rules.perudo.events import GameStarted, RevealSeen
from games.rules.perudo.notation import to_text
from games.rules.perudo.options import CHOICES, Options
from games.rules.perudo.reading import from_text
from games.rules.perudo.record import Record, from_json, to_json
from tests.rules.random_games import facts_of, seeded, steps

any_options = st.builds(Options, **{name: st.sampled_from(v) for name, v in CHOICES.items()})
luck = st.integers(0, 2**32).map(seeded)
a_name = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def played(generator: random.Random, options: Options | None = None) -> Record:
    facts = tuple(facts_of(steps("perudo", generator, leaving=0.02, options=options)))
    assert isinstance(facts[0], GameStarted)
    return Record(
        players=("Ada", "Ben", "Cleo", "Dan", "Eve", "Flo")[: facts[0].seats], facts=facts
    )


def without_looks(record: Record) -> list[Fact]:
    return [fact for fact in record.facts if not isinstance(fact, RevealSeen)]


# --- a whole small game --------------------------------------------------------------------------

SCORE = """\
Perudo record, version 1
Date: 2024-02-29
Rules: starter=one_die raise_rule=one_only paco_opening=palifico_only palifico_repeat=every_time \
palifico_min_players=2 calza=on calza_who=any_but_bidder calza_in_palifico=true \
calza_min_players=2 calza_needs_lost_die=false lost_dice_visible=false
Player A: "Ada"
Player B: "Ben \\"the toucan\\" \\u2028"
Player C: "Cléo"
Starter: A 6 B 6 C P
Starter: A 2 B 5
1. B opens | A P2346 B 22456 C P3346 | B 3x2, A claims, C 2xP, A dudo: 2, A loses
2. A opens | A 2346 B 22456 C P3346 | A 4x2, C claims, C calza: 4
3. C opens | A 2346 B 22456 C P3346 | C 1x3, A 2x3, B calza: 4, B loses, A leaves, A out
4. B opens | B 2245 C P3346 | B 1x2, C leaves, C out
Result: B C A (others_left)
"""
LINES = SCORE.splitlines()


def with_line(number: int, text: str) -> str:
    return "\n".join([*LINES[: number - 1], text, *LINES[number:]])


def test_a_game_written_by_hand_is_read_and_written_the_same() -> None:
    record = from_text(SCORE)
    assert record.players == ("Ada", 'Ben "the toucan" \u2028', "Cléo")
    assert record.date == "2024-02-29"
    assert record.options == Options(starter="one_die", calza="on", lost_dice_visible=False)
    assert to_text(record) == SCORE
    assert from_json(to_json(record)) == record


def test_a_game_is_written_one_line_a_round() -> None:
    record = played(seeded(5))
    lines = to_text(record).splitlines()
    rounds = sum(fact.kind == "round_started" for fact in record.facts)
    assert sum(" opens" in line for line in lines) == rounds
    assert lines[-1].startswith("Result: ")


def test_a_palifico_round_is_marked() -> None:
    record = played(seeded(5), Options())
    marked = [line for line in to_text(record).splitlines() if " opens palifico | " in line]
    fell = [fact for fact in record.facts if fact.kind == "palifico_announced"]
    assert len(marked) == len(fell) > 0


@pytest.mark.parametrize("ending", ["\r\n", "\n\n", "\n \n", ""])
def test_what_an_editor_does_to_line_ends_does_no_harm(ending: str) -> None:
    text = SCORE.replace("\n", "\r\n") if ending == "\r\n" else SCORE[:-1] + ending
    assert to_text(from_text(text)) == SCORE


# --- there and back ------------------------------------------------------------------------------


@given(options=any_options, generator=luck)
def test_a_record_survives_its_text_form_but_for_who_looked_first(
    options: Options, generator: random.Random
) -> None:
    record = played(generator, options)
    text = to_text(record)
    again = from_text(text)
    assert without_looks(again) == without_looks(record)
    assert (again.players, again.date) == (record.players, record.date)
    assert to_text(again) == text
    assert from_text(to_text(from_json(to_json(again)))) == again


@given(names=st.lists(a_name, min_size=3, max_size=3))
def test_any_name_survives_the_text_form(names: list[str]) -> None:
    record = Record(players=tuple(names), facts=from_text(SCORE).facts)
    text = to_text(record)
    assert from_text(text).players == tuple(names)
    assert len(text.splitlines()) == len(LINES) - 1


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


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:20])
def test_a_hostile_name_stays_on_its_line(name: str) -> None:
    record = Record(players=(name, name, "C"), facts=from_text(SCORE).facts)
    text = to_text(record)
    assert len(text.splitlines()) == len(LINES) - 1  # no date
    assert from_text(text) == record
    assert from_json(to_json(record)) == record
    line = text.splitlines()[2]
    assert line.isprintable()


# --- what is not true ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "text", "reason"),
    [
        (1, "Perudo record, version 2", "first line"),
        (2, "Date: 29/02/2024", "not a date"),
        (2, "Result: A B C (others_left)", "no rules"),
        (3, "Rules: starter=one_die", "Options has the fields"),
        (3, LINES[2].replace("calza=on", "calza=maybe"), "not a setting: 'calza=maybe'"),
        (3, LINES[2].replace("calza=on", "calza=on calza=on"), "not a setting: 'calza=on'"),
        (3, LINES[2].replace("=true", "=True"), "not a setting"),
        (4, "Player A: Ada", "not a name in quotes"),
        (4, 'Player A: ["Ada"]', "not a name in quotes"),
        (4, 'Player A: "Ada', "not a name in quotes"),
        (4, 'Player B: "Ada"', "Player B is not expected here"),
        (4, LINES[2], "Rules is not expected here"),
        (6, 'Player C: "' + "x" * 151 + '"', "longer than 150"),
        (7, "Starter: A 6 B 6", "line 7: .* should be 'Starter: A 6 B 6 C 2'"),
        (7, "Starter: A 6 B 5 C P", "line 8: .* should be '1. A opens"),
        (8, "Starter: A 5 B 2", "line 9: not allowed: not_your_turn"),
        (8, "Starter: A 2 B 7", "script|should be|not"),
        (9, LINES[8].replace("1. B", "1. A"), "not_your_turn|should be"),
        (9, LINES[8].replace("1. B", "2. B"), "should be '1. B"),
        (9, LINES[8].replace("A P2346", "A P234"), "script|should be|allowed"),
        (9, LINES[8].replace("A P2346", "A 6432P"), "should be"),
        (9, LINES[8].replace("3x2", "16x2"), "not allowed: bad_count"),
        (9, LINES[8].replace("3x2", "3xP"), "not allowed: paco_opening"),
        (9, LINES[8].replace("3x2", "3x1"), "not a deed: 'B 3x1'"),
        (9, LINES[8].replace("2xP", "2x5"), "not allowed: count_lower"),
        (9, LINES[8].replace("A claims", "B claims"), "not allowed: own_bid"),
        (9, LINES[8].replace("A dudo: 2", "A dudo: 3"), "should be"),
        (9, LINES[8].replace("A dudo: 2", "B dudo: 2"), "not allowed: not_your_turn"),
        (9, LINES[8].replace("A loses", "C loses"), "should be"),
        (9, LINES[8].replace(", A loses", ""), "should be"),
        (9, LINES[8].replace("A loses", "A wins"), "not a deed: 'A wins'"),
        (9, LINES[8].replace("A dudo: 2", "F dudo: 2"), "there is no seat 5"),
        (9, LINES[8].replace("A dudo: 2, A loses", ""), "not a deed"),
        (10, LINES[9].replace("A opens", "A opens palifico"), "should be"),
        (10, LINES[9].replace("C claims, ", ""), "should be|not"),
        (10, "", "not a line"),
        (10, "A quiet round", "not a line of a record: 'A quiet round'"),
        (10, LINES[10], "."),
        (11, LINES[11], "."),
        (12, LINES[11] + ", B leaves", "not allowed: game_over"),
        (12, LINES[11].replace(", C leaves, C out", ""), "not over"),
        (13, "Result: C B A (others_left)", "should be"),
        (13, LINES[12] + "\nResult: B C A (others_left)", "lines"),
        (13, LINES[11], "."),
        (13, "", "."),
    ],
)
def test_a_line_that_is_not_true_is_named(number: int, text: str, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as error:
        from_text(with_line(number, text))
    assert len(error.value.reason) <= 200


@pytest.mark.parametrize("number", [9, 10, 11])
def test_the_error_says_which_line(number: int) -> None:
    deed = LINES[number - 1].rpartition(": ")[0] + ": 29"
    with pytest.raises(RecordError, match=f"^line {number}: ") as error:
        from_text(with_line(number, deed))
    assert (error.value.line, error.value.fact) == (number, None)


def test_a_line_left_out_is_found() -> None:
    for number in range(1, len(LINES) + 1):
        if number != 2:  # the date is nobody's move
            with pytest.raises(RecordError):
                from_text("\n".join([*LINES[: number - 1], *LINES[number:]]))


def test_a_line_told_twice_is_found() -> None:
    for number in range(1, len(LINES) + 1):
        with pytest.raises(RecordError):
            from_text(with_line(number, "\n".join([LINES[number - 1]] * 2)))


@given(st.integers(0, len(SCORE) - 1), st.characters())
def test_a_changed_character_is_found_or_changes_only_a_name_or_the_date(
    at: int, character: str
) -> None:
    text = SCORE[:at] + character + SCORE[at + 1 :]
    try:
        record = from_text(text)
    except RecordError:
        return
    changed = {old for old, new in zip(LINES, text.split("\n"), strict=False) if old != new}
    assert (
        all(line.startswith(("Date", "Player")) for line in changed)
        or not changed
        or (to_text(record).splitlines()[6:] == [line.rstrip() for line in text.splitlines()][6:])
    )


@pytest.mark.parametrize("text", ["", "\n", "Perudo", "\x00", "[]", SCORE[1:], SCORE[:40]])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        from_text(text)


def test_a_text_has_a_size_limit() -> None:
    with pytest.raises(RecordError, match="characters"):
        from_text(" " * (MAX_CHARACTERS + 1))


def test_a_game_that_still_runs_is_not_written() -> None:
    record = from_text(SCORE)
    with pytest.raises(RecordError, match="not over"):
        to_text(Record(players=record.players, facts=record.facts[:-2]))
