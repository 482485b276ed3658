"""`manage.py check_record`: one line for each record, exit code 1 when one does not fit."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from games.contract import catalogue
from games.core.game_record import Record, RecordError, from_json_of_any, to_json
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import record_of, seeded, steps
from tests.support.golden_records import RECORDS
from tests.support.live_site import ROOT

PECO, PERUDO = RECORDS["peco_peco teams_of_today"], RECORDS["perudo house"]
OLD = RECORDS["peco_peco set_of_a_leaver"]
RULES = {game.key: game.rules for game in catalogue.every()}


def check(*files: Path) -> tuple[int, str, str]:
    """The exit code of the command, and what it writes."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("check_record", *map(str, files), stdout=out, stderr=err)
    except SystemExit as left:
        return int(str(left.code)), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def trouble(folder: Path, content: str | bytes) -> str:
    """What the command says does not fit in a file with this content: one line."""
    file = folder / "game.json"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    code, out, err = check(file)
    assert (code, out) == (1, ""), (out, err)
    assert err.count("\n") == 1 and err.endswith("\n") and len(err) < 400 + len(str(file))
    return err.removeprefix(f"{file}: ").strip()


def changed(text: str, **fields: Any) -> str:
    return json.dumps(json.loads(text) | fields)


def with_fact(text: str, kind: str, **fields: Any) -> str:
    """The record with the first fact of a kind changed."""
    data = json.loads(text)
    fact = next(fact for fact in data["facts"] if fact["kind"] == kind)
    fact.update(fields)
    return json.dumps(data)


def test_every_kept_record_fits(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name in RECORDS:
        with subtests.test(name=name):
            file = tmp_path / "game.json"
            file.write_text(RECORDS[name], encoding="utf-8")
            code, out, err = check(file)
            assert (code, err) == (0, "")
            game, version = json.loads(RECORDS[name])["game"], json.loads(RECORDS[name])["version"]
            assert out.startswith(f"{file}: fits the rules of {game}, version {version}: ")
            assert out.count("\n") == 1


def test_the_result_is_told(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(OLD, encoding="utf-8")
    assert check(file)[1].endswith(": 4 players, 303 facts, D A=C (set)\n")


def test_what_does_not_fit_is_said_in_one_line(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for content, said in [
        ("", "not JSON: "),
        ("{", "not JSON: "),
        (b"\xff\xfe{}", "not JSON in UTF-8: byte 0"),
        ("[" * 100_000, "not JSON: "),
        ("9" * 10_000, "not JSON: "),
        ("[]", "a record has the fields version, game, date, options, players, facts"),
        (changed(PECO, more=1), "a record has the fields "),
        (changed(PECO, version=3), "the versions 1 and 2 can be read"),
        (changed(PECO, version=[]), "the versions 1 and 2 can be read"),
        (changed(PECO, game="chess"), "not a record of perudo or peco_peco"),
        (changed(PECO, game=["perudo"]), "not a record of perudo or peco_peco"),
        (changed(PECO, game="perudo"), "fact 1: "),
        (changed(PECO, date="2026-13-45"), "not a date: '2026-13-45'"),
        (changed(PERUDO, date="2026-13-45"), "not a date: '2026-13-45'"),
        (changed(PERUDO, date="2025-02-29"), "not a date: '2025-02-29'"),
        (changed(PERUDO, date="0000-01-01"), "not a date: '0000-01-01'"),
        (changed(PERUDO, date=20260101), "the date is a text or null"),
        (changed(PECO, players=["Ada"]), "1 names for 4 seats"),
        (changed(PECO, players=[1, 2, 3, 4]), "the players are a list of names"),
        (changed(PECO, players=["\ud800", "B", "C", "D"]), r"not a name: '\ud800'"),
        (changed(PECO, options={}), "the options: Options has the fields "),
        (with_fact(PECO, "card_played", card="Xx"), "'Xx' is not "),
        (with_fact(PECO, "card_played", seat="A"), "'A' is not <class 'int'>"),
        (with_fact(PECO, "card_played", seat=77), "there is no seat 77"),
        (with_fact(PERUDO, "bid_made", bid={"quantity": 99, "face": 2}), "not allowed: bad_count"),
        (with_fact(PERUDO, "revealed", count=29), "where {"),
        (with_fact(PECO, "game_ended", reason="pile"), '"reason": "pile"} where {'),
        (changed(OLD, version=2), "fact 303: game_ended does not follow by itself"),
    ]:
        with subtests.test(content=content[:80], said=said):
            assert said in trouble(tmp_path, content)


def test_a_move_left_out_is_found_at_its_place(tmp_path: Path) -> None:
    for text in (PECO, PERUDO, OLD):
        facts = json.loads(text)["facts"]
        for at in range(3, len(facts), 29):
            said = trouble(tmp_path, changed(text, facts=facts[:at]))
            assert said.startswith("fact ")


def test_options_out_of_their_range_are_found(tmp_path: Path) -> None:
    data = json.loads(PECO)
    for wrong in (0, 999, -5):
        data["options"]["slap_window_ms"] = wrong
        data["facts"][0]["options"]["slap_window_ms"] = wrong
        assert "slap_window_ms is 1000 to 10000" in trouble(tmp_path, json.dumps(data))
    data["options"]["slap_window_ms"] = data["facts"][0]["options"]["slap_window_ms"] = 3000
    data["options"]["first_feast_on_top"] = 1  # equals true in Python, and is no JSON true
    assert "is not <class 'bool'>" in trouble(tmp_path, json.dumps(data))


def test_files_that_cannot_be_read_are_said_too(tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(PECO, encoding="utf-8")
    code, out, err = check(tmp_path / "nothing.json", good, tmp_path, Path("line\nbreak"))
    assert code == 1
    assert out.count("\n") == 1 and "good.json: fits" in out
    lines = err.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == [
        "No such file or directory",
        "Is a directory",
        "No such file or directory",
    ]
    assert all("cannot be read" in line for line in lines) and r"line\nbreak" in lines[2]


def test_the_command_ends_with_its_code_on_a_terminal_without_unicode(tmp_path: Path) -> None:
    file = tmp_path / "défaut.json"
    file.write_text(changed(PECO, game="\ud800é"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "manage.py", "check_record", str(file)],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 1 and done.stdout == b""
    assert done.stderr.decode("latin-1").count("\n") == 1
    assert b"Traceback" not in done.stderr


# --- whatever is in the file ----------------------------------------------------------------------

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=8), children, max_size=4)
    ),
    max_leaves=10,
)
EARLY = 40  # facts in which most changes are made, so that a replay comes to them


def mutate(text: str, data: st.DataObject) -> str:
    """The record with something in it replaced, removed, doubled or exchanged."""
    record = json.loads(text)
    draw: Callable[..., Any] = data.draw
    for _ in range(draw(st.integers(1, 2))):
        place: Any = record
        for _ in range(draw(st.integers(0, 4))):
            keys = list(place) if isinstance(place, dict) else range(min(len(place), EARLY))
            inner = [key for key in keys if isinstance(place[key], dict | list) and place[key]]
            if not inner:
                break
            place = place[draw(st.sampled_from(inner))]
        keys = list(place) if isinstance(place, dict) else list(range(min(len(place), EARLY)))
        if not keys:
            continue
        key = draw(st.sampled_from(keys))
        what = draw(st.sampled_from(["replace", "remove", "nudge", "swap"]))
        if what == "remove":
            del place[key]
        elif what == "nudge" and type(place[key]) is int:
            place[key] += draw(st.sampled_from([-1, 1, 7, 10**30, -(10**30)]))
        elif what == "swap":
            other = draw(st.sampled_from(keys))
            place[key], place[other] = place[other], place[key]
        else:
            place[key] = draw(anything)
        if not isinstance(record, dict):
            break
    return json.dumps(record)


@pytest.mark.slow
@settings(max_examples=400)
@given(data=st.data(), name=st.sampled_from(sorted(RECORDS)))
def test_a_changed_record_is_read_or_refused_and_nothing_else(
    data: st.DataObject, name: str
) -> None:
    text = mutate(RECORDS[name], data)
    try:
        record = from_json_of_any(RULES, text)
    except RecordError as error:
        assert 0 < len(error.reason) <= 200
    else:
        assert isinstance(record, Record)
        assert from_json_of_any(RULES, to_json(record)) == record


@settings(max_examples=60)
@given(content=st.binary(max_size=200) | anything.map(lambda value: json.dumps(value).encode()))
def test_whatever_is_in_a_file_is_answered_in_one_line(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    trouble(tmp_path_factory.mktemp("records"), content)


@pytest.mark.parametrize("key", ARENAS)
def test_random_games_fit(key: str, tmp_path: Path) -> None:
    for number in range(4):
        game = steps(ARENAS[key], seeded(number), leaving=0.004)
        file = tmp_path / f"{number}.json"
        file.write_text(to_json(record_of(ARENAS[key], game)), encoding="utf-8")
    code, out, err = check(*sorted(tmp_path.iterdir()))
    assert (code, err, out.count("\n")) == (0, "", 4)
