"""What people choose before a game of every kind: all its settings, in words."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.contract import catalogue
from games.core.chance import SeededChance
from games.forms import PlayNowForm
from tests.games.contract.arenas import ARENAS
from tests.games.contract.kinds import LANGUAGES, every_kind


def filled(kind: catalogue.GameKind, **chosen: str) -> Any:
    """The form of a new table as a browser sends it."""
    plain = {"game": kind.key, "seats": str(kind.rules.SEATS[-1]), "pace": "45"}
    first = next(iter(ARENAS[kind.key].presets))
    return kind.forms.NEW_TABLE(plain | {"visibility": "public", "preset": first} | chosen)


@every_kind
def test_every_setting_of_the_rules_is_a_field(kind: catalogue.GameKind) -> None:
    assert set(ARENAS[kind.key].choices) <= set(filled(kind).fields)


@every_kind
def test_every_field_and_every_choice_of_a_setting_has_words(
    kind: catalogue.GameKind, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            fields = filled(kind).fields
            for name in ARENAS[kind.key].choices:
                assert str(fields[name].label)
                labels = [str(label) for _, label in getattr(fields[name], "choices", ())]
                assert all(labels) and len(set(labels)) == len(labels)


@every_kind
def test_every_preset_opens_a_table_of_every_size(kind: catalogue.GameKind) -> None:
    for preset in ARENAS[kind.key].presets:
        for seats in kind.rules.SEATS:
            form = filled(kind, preset=preset, seats=str(seats))
            assert form.is_valid(), form.errors
            table = form.table_settings()
            assert (table.kind_key, table.preset, table.size) == (kind.key, preset, seats)
            kind.rules.start(seats, kind.rules.read_options(table.options), SeededChance(1))


@every_kind
def test_no_table_is_smaller_or_larger_than_the_game(kind: catalogue.GameKind) -> None:
    for seats in (kind.rules.SEATS[0] - 1, kind.rules.SEATS[-1] + 1):
        assert list(filled(kind, seats=str(seats)).errors) == ["seats"]


@every_kind
def test_an_odd_preset_is_refused_with_a_word_at_its_field(kind: catalogue.GameKind) -> None:
    wrong = [
        odd
        for odd in ["", "hazard", "peco_base\x00", "<b>"]
        if list(filled(kind, preset=odd).errors) != ["preset"]
    ]
    assert wrong == []


@every_kind
def test_a_setting_that_the_rules_do_not_have_is_refused_at_its_field(
    kind: catalogue.GameKind,
) -> None:
    fields = filled(kind).fields
    for name in ARENAS[kind.key].choices:
        if hasattr(fields[name], "choices"):
            assert list(filled(kind, **{name: "no_such_value"}).errors) == [name]


@every_kind
def test_quick_play_plays_a_preset_against_bots_of_each_strength(
    kind: catalogue.GameKind,
) -> None:
    form = PlayNowForm({"game": kind.key})
    assert form.is_valid(), form.errors
    assert form.kinds() == list(kind.bots)[:3]
    most = kind.rules.SEATS[-1] - 1
    everybody = PlayNowForm({"game": kind.key, "bots": str(most)})
    assert everybody.is_valid(), everybody.errors
    assert set(everybody.kinds()) == set(kind.bots)
    table = asdict(form.table_settings())
    assert {name: table[name] for name in kind.forms.QUICK_PLAY} == kind.forms.QUICK_PLAY
    assert table["preset"] in ARENAS[kind.key].presets
    kind.rules.read_options(table["options"])


@every_kind
def test_quick_play_refuses_more_bots_than_seats_and_strangers(kind: catalogue.GameKind) -> None:
    for odd in ({"bots": str(kind.rules.SEATS[-1])}, {"bots": "0"}, {"strength": "no_such_bot"}):
        assert not PlayNowForm({"game": kind.key, **odd}).is_valid()


@every_kind
def test_every_choice_opens_a_table_and_every_preset_has_a_line(
    kind: catalogue.GameKind, alice_client: Client
) -> None:
    form = kind.forms.NEW_TABLE(initial={"game": kind.key})
    assert next(iter(form.choices)) == "standard"  # type: ignore[attr-defined]
    plain = {"game": kind.key, "seats": str(kind.rules.SEATS.start), "pace": "45"}
    for choice in form.choices:  # type: ignore[attr-defined]
        answer = alice_client.post("/games/new", plain | {"kind": choice, "visibility": "public"})
        assert answer.status_code == 302
        alice_client.post(f"{answer['Location']}/close")
    html = alice_client.get(f"/games/new?game={kind.key}").content.decode()
    assert f"/rules/{kind.key}#rule-sets" in html
    for preset in form["preset"]:  # type: ignore[index]
        assert re.search(r"<b>.+</b> <small>.+</small>", str(preset))
