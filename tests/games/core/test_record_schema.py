"""The published JSON Schema of records: what it takes and what the reader takes have one form."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from accounts.models import User
from games.contract import catalogue
from games.core.game_record import RecordError, from_json, to_json
from games.core.proof import Proof
from games.store import record_export
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import record_of, seeded, steps
from tests.support.fast_games import finished_game
from tests.support.golden_records import RECORDS
from tools.record_schema import FILE, written

SCHEMA: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)

PROOF = Proof("k3v9xw2m7t", bytes(32), bytes(32), bytes(32), (), (None,) * 4, (None,) * 4).to_json()


def fits(record: Any) -> bool:
    return bool(VALIDATOR.is_valid(record))


def test_the_published_schema_is_that_of_the_games() -> None:
    """`python -m tools.record_schema` writes it again; review the diff: records are for ever."""
    assert FILE.read_text(encoding="utf-8") == written()
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDS)
def test_every_kept_record_of_both_games_and_versions_fits(name: str) -> None:
    VALIDATOR.validate(json.loads(RECORDS[name]))


def test_the_kept_records_are_of_both_games_and_both_versions() -> None:
    found = {(data["game"], data["version"]) for data in map(json.loads, RECORDS.values())}
    assert found >= {("perudo", 1), ("peco_peco", 1), ("peco_peco", 2)}


@pytest.mark.slow
@pytest.mark.parametrize("key", ARENAS)
@pytest.mark.parametrize("version", [1, 2])
def test_random_games_of_every_version_fit(key: str, version: int) -> None:
    for seed in range(6):
        record = record_of(ARENAS[key], steps(ARENAS[key], seeded(seed), leaving=0.004))
        VALIDATOR.validate(json.loads(to_json(record)) | {"version": version})


@pytest.mark.parametrize("key", ARENAS)
def test_every_fact_is_described(key: str) -> None:
    described = SCHEMA["$defs"][key]["properties"]["facts"]["items"]["oneOf"]
    kinds = {one["properties"]["kind"]["const"]: one["description"] for one in described}
    assert set(kinds) == set(ARENAS[key].rules.FACTS)
    assert all(re.fullmatch(r"[A-Z].*\.", text) for text in kinds.values())


@pytest.mark.django_db
def test_what_a_site_gives_to_take_away_fits(alice: User, bob: User) -> None:
    VALIDATOR.validate(json.loads(record_export.as_json(finished_game(alice, bob))))


def test_what_the_reader_refuses_by_its_form_does_not_fit(subtests: pytest.Subtests) -> None:
    for wrong in [
        {"version": 3},
        {"version": True},
        {"version": "1"},
        {"game": "chess"},
        {"date": "2026-13-45"},
        {"date": "2025-02-29"},
        {"date": "yesterday"},
        {"date": 20260101},
        {"players": "Ada"},
        {"players": []},
        {"players": ["x" * 151] * 4},
        {"players": ["Ada"] * 9},
        {"options": {}},
        {"facts": []},
        {"facts": [{"kind": "surprise"}]},
        {"facts": [{"kind": "left", "seat": "A"}]},
        {"facts": [{"kind": "left"}]},
        {"facts": [{"kind": "left", "seat": 0, "more": 1}]},
        {"more": 1},
        {"proof": None},
        {"proof": {}},
        {"proof": PROOF | {"secret": "00"}},
        {"proof": PROOF | {"code": "two\nlines"}},
        {"proof": PROOF | {"parts": [None]}},
        {"proof": PROOF | {"salts": [1] * 4}},
        {"proof": PROOF | {"won_before": ["A"]}},
    ]:
        for name in ["perudo house", "peco_peco teams_of_today"]:
            with subtests.test(name=name, wrong=wrong):
                record = json.loads(RECORDS[name])
                data = record | wrong
                assert not fits(data | {"facts": data["facts"][:9]})
                with pytest.raises(RecordError):
                    from_json(catalogue.of(record["game"]).rules, json.dumps(data))


def test_a_field_left_out_does_not_fit() -> None:
    data = json.loads(RECORDS["perudo house"])
    for field in data:
        assert not fits({name: value for name, value in data.items() if name != field})


values = st.sampled_from(
    [None, True, False, 0, 1, 2, 3, -1, "", "A", "E", "Mb", "on", "set", [], [1], ["E"], [[1, 2]]]
)


@pytest.mark.slow
@settings(max_examples=150)
@given(data=st.data(), key=st.sampled_from(sorted(ARENAS)))
def test_a_fact_fits_exactly_when_it_can_be_read(data: st.DataObject, key: str) -> None:
    """Any field of any fact with any value: the reader's types and the schema agree."""
    from games.core.codec import unpack

    rules = ARENAS[key].rules
    facts = [
        fact
        for name, text in RECORDS.items()
        if name.startswith(key)
        for fact in json.loads(text)["facts"]
    ]
    fact = deepcopy(data.draw(st.sampled_from(facts)))
    field = data.draw(st.sampled_from(sorted(fact)))
    if data.draw(st.booleans()):
        fact[field] = data.draw(values)
    elif data.draw(st.booleans()):
        del fact[field]
    items = SCHEMA["$defs"][key]["properties"]["facts"]["items"]
    try:
        unpack(rules.FACTS, fact)
    except ValueError:
        readable = False
    else:
        readable = True
    assert Draft202012Validator(items).is_valid(fact) is readable


@pytest.mark.django_db
def test_the_schema_can_be_downloaded_where_records_are(
    alice: User, bob: User, client: Client
) -> None:
    game = finished_game(alice, bob)
    page = client.get(reverse("games:replay", args=[game.code])).content.decode()
    [address] = re.findall(r'href="([^"]*record\.schema[^"]*\.json)"', page)
    assert finders.find(address.removeprefix("/static/")) == str(FILE)
