"""The forms of the lobby: what a host chooses is exactly what the table plays."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.test import Client

from games import catalogue
from games.forms import PlayNowForm
from games.models import Game
from games.perudo.bots import BOTS
from games.perudo.bots.characters import CHARACTERS
from games.perudo.forms import ADVANCED, NewTableForm
from games.perudo.rules import KEY
from games.perudo.rules.options import CHOICES, PRESETS, SITE_OPTIONS, SITE_PRESET, Options
from games.perudo.words import characters as character_words

PLAIN = {"preset": "asmodee_fr", "seats": "4", "pace": "45", "visibility": "public"}


def table(**chosen: str) -> dict[str, Any]:
    form = NewTableForm(PLAIN | chosen)
    assert form.is_valid(), form.errors
    return asdict(form.table_settings())


def options(**chosen: str) -> Options:
    return Options.from_json(table(**chosen)["options"])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("calza", [True, False])
@pytest.mark.parametrize("visible", [True, False])
def test_a_preset_is_played_as_printed_but_for_its_two_switches(
    preset: str, calza: bool, visible: bool
) -> None:
    switches = {"calza": "on"} if calza else {}
    switches |= {"lost_dice_visible": "on"} if visible else {}
    printed = replace(PRESETS[preset], calza="on" if calza else "off", lost_dice_visible=visible)
    assert options(preset=preset, **switches) == printed


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ADVANCED)
def test_an_advanced_setting_is_played_as_chosen_and_nothing_else_changes(
    preset: str, name: str
) -> None:
    as_printed = asdict(options(preset=preset))
    for value in CHOICES[name]:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        assert asdict(options(preset=preset, **{name: text})) == as_printed | {name: value}


def test_every_field_is_explained_in_a_sentence() -> None:
    form = NewTableForm()
    shown = [field for field in form.fields if field not in (*ADVANCED, "visibility", "game")]
    assert all(form.fields[name].help_text for name in shown)


def test_what_is_ticked_first_is_what_the_site_recommends() -> None:
    form = NewTableForm()
    assert form["preset"].initial == SITE_PRESET
    assert form["lost_dice_visible"].initial == SITE_OPTIONS.lost_dice_visible
    assert not form["calza"].initial


@pytest.mark.parametrize(("pace", "seconds"), [("15", 15), ("180", 180), ("", None)])
def test_the_pace_is_in_seconds_or_there_is_no_clock(pace: str, seconds: int | None) -> None:
    assert table(pace=pace)["turn_seconds"] == seconds


@pytest.mark.parametrize("visibility", ["public", "link"])
def test_a_table_is_listed_or_by_link(visibility: str) -> None:
    assert table(visibility=visibility)["visibility"] == visibility


@pytest.mark.parametrize(
    ("field", "odd"),
    [
        ("preset", "asmodee_fr\x00"),
        ("seats", "1"), ("seats", "7"), ("seats", "４"), ("seats", "4.0"), ("seats", "9" * 10_000),
        ("pace", "1"), ("pace", "-45"), ("pace", "ever"),
        ("visibility", ""), ("visibility", "maybe"),
        ("starter", "loaded"), ("palifico_min_players", "4"), ("calza_in_palifico", "True"),
    ],
)  # fmt: skip
def test_odd_input_is_refused_with_a_word_at_its_field(field: str, odd: str) -> None:
    form = NewTableForm(PLAIN | {field: odd})
    assert not form.is_valid()
    assert list(form.errors) == [field]


# --- choices in words ----------------------------------------------------------------------------


def test_the_first_choices_are_standard_with_calza_and_custom() -> None:
    kind = NewTableForm()["kind"]
    labels = [re.findall(r"<b>(.*?)</b> <small>(.+?)</small>", str(radio)) for radio in kind]
    assert [name for [(name, _line)] in labels] == ["Standard", "With calza", "Custom"]
    assert kind.initial == "standard"


@pytest.mark.parametrize(
    ("kind", "rules"),
    [("standard", SITE_OPTIONS), ("calza", replace(SITE_OPTIONS, calza="on"))],
)
def test_a_choice_in_words_is_played_whatever_is_set_behind_custom(
    kind: str, rules: Options
) -> None:
    behind = {"preset": "web_fr", "show_odds": "on", "starter": "loaded", "calza": "on"}
    chosen = table(kind=kind, **behind)
    assert Options.from_json(chosen["options"]) == rules
    assert chosen["preset"] == SITE_PRESET
    assert not chosen.get("show_odds")


def test_custom_and_an_old_page_play_what_was_set() -> None:
    assert table(kind="custom", preset="web_fr") == table(preset="web_fr")
    assert table(preset="web_fr")["preset"] == "web_fr"


def test_a_choice_that_does_not_exist_is_an_error_of_the_form() -> None:
    assert list(NewTableForm(PLAIN | {"kind": "deployment"}).errors) == ["kind"]


def test_an_empty_form_says_what_is_missing() -> None:
    form = NewTableForm({})
    assert not form.is_valid()
    assert set(form.errors) == {"preset", "seats", "visibility"}


def test_odds_are_not_shown_where_they_would_tell_hidden_dice() -> None:
    form = NewTableForm(PLAIN | {"show_odds": "on"})
    assert not form.is_valid() and form.is_wrong_behind()
    assert table(show_odds="on", lost_dice_visible="on")["show_odds"] is True


# --- which game ----------------------------------------------------------------------------------


def test_a_form_that_names_no_game_is_about_the_first_one() -> None:
    assert table()["kind_key"] == table(game=KEY)["kind_key"] == KEY == catalogue.default().key


@pytest.mark.parametrize("form", [NewTableForm, PlayNowForm])
@pytest.mark.parametrize("odd", ["hazard", "PERUDO", "perudo\x00", "peco"])
def test_a_game_that_is_not_in_the_catalogue_is_an_error_of_the_form(
    form: type[NewTableForm | PlayNowForm], odd: str
) -> None:
    filled = form(PLAIN | {"game": odd})
    assert not filled.is_valid() and list(filled.errors) == ["game"]


@pytest.mark.parametrize(
    ("address", "status"), [("/games/new", 200), ("/games/new?game=perudo", 200),
                            ("/games/new?game=hazard", 404)]
)  # fmt: skip
def test_the_address_of_a_new_table_may_name_its_game(
    alice_client: Client, address: str, status: int
) -> None:
    assert alice_client.get(address).status_code == status


def test_a_table_of_an_unknown_game_is_not_opened(alice_client: Client) -> None:
    answer = alice_client.post("/games/new", PLAIN | {"game": "hazard"})
    assert answer.status_code == 422 and "hazard" in answer.content.decode()
    answer = alice_client.post("/play-now", {"game": "hazard"}, follow=True)
    assert "hazard" in answer.content.decode()
    assert not Game.objects.exists()
    assert alice_client.post("/games/new", PLAIN | {"game": KEY}).status_code == 302
    assert Game.objects.get().kind_key == KEY


# --- playing at once -----------------------------------------------------------------------------


def kinds(**chosen: str) -> list[str]:
    form = PlayNowForm(chosen)
    assert form.is_valid(), form.errors
    return form.kinds()


@pytest.mark.parametrize("number", [1, 2, 5])
def test_play_now_is_against_as_many_as_chosen(number: int) -> None:
    assert kinds(bots=str(number), strength="sharp") == ["sharp"] * number


@pytest.mark.parametrize("key", CHARACTERS)
def test_a_character_plays_beside_bots_of_its_strength(key: str) -> None:
    assert kinds(bots="3", strength=key) == [key, *[CHARACTERS[key].base] * 2]
    assert kinds(bots="1", strength=key) == [key]


def test_every_character_is_offered_by_name_with_what_to_expect(db: None, client: Client) -> None:
    page = client.get("/").content.decode()
    for key, each in CHARACTERS.items():
        assert f'<option value="{key}">{each.name}: {character_words.line(key)}</option>' in page


def test_mixed_opponents_go_round_all_kinds() -> None:
    assert kinds(bots="5", strength="mixed") == (list(BOTS) * 2)[:5]


@pytest.mark.parametrize("odd", [{"bots": "0"}, {"bots": "6"}, {"bots": "x"}, {"strength": "god"}])
def test_play_now_refuses_what_it_does_not_offer(odd: dict[str, str]) -> None:
    assert not PlayNowForm(odd).is_valid()
