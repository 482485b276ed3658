"""The forms of the lobby: what a host chooses is exactly what the table plays."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from itertools import product
from typing import Any

import pytest
from django.test import Client

from games.contract import catalogue
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


def test_a_preset_is_played_as_printed_but_for_its_two_switches(subtests: pytest.Subtests) -> None:
    for preset, calza, visible in product(PRESETS, [True, False], [True, False]):
        with subtests.test(preset=preset, calza=calza, visible=visible):
            switches = {"calza": "on"} if calza else {}
            switches |= {"lost_dice_visible": "on"} if visible else {}
            calls = "on" if calza else "off"
            printed = replace(PRESETS[preset], calza=calls, lost_dice_visible=visible)
            assert options(preset=preset, **switches) == printed


def test_an_advanced_setting_is_played_as_chosen_and_nothing_else_changes(
    subtests: pytest.Subtests,
) -> None:
    for preset, name in product(PRESETS, ADVANCED):
        as_printed = asdict(options(preset=preset))
        for value in CHOICES[name]:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            with subtests.test(preset=preset, name=name, value=value):
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


def test_the_pace_is_in_seconds_or_there_is_no_clock() -> None:
    seconds = [table(pace=pace)["turn_seconds"] for pace in ("15", "180", "")]
    assert seconds == [15, 180, None]


def test_a_table_is_listed_or_by_link() -> None:
    chosen = ["public", "link"]
    assert [table(visibility=each)["visibility"] for each in chosen] == chosen


def test_odd_input_is_refused_with_a_word_at_its_field() -> None:
    odd = [
        ("preset", "asmodee_fr\x00"),
        ("seats", "1"), ("seats", "7"), ("seats", "７"), ("seats", "4.0"), ("seats", "9" * 10_000),
        ("pace", "1"), ("pace", "-45"), ("pace", "ever"),
        ("visibility", ""), ("visibility", "maybe"),
        ("starter", "loaded"), ("palifico_min_players", "4"), ("calza_in_palifico", "True"),
    ]  # fmt: skip
    forms = [NewTableForm(PLAIN | {field: value}) for field, value in odd]
    assert [list(form.errors) for form in forms] == [[field] for field, _ in odd]


def test_digits_of_every_script_count() -> None:
    typed = {"seats": "４", "pace": "۴۵"}
    assert table(**typed) == table(seats="4", pace="45")


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


def test_a_game_that_is_not_in_the_catalogue_is_an_error_of_the_form() -> None:
    games = ["hazard", "PERUDO", "perudo\x00", "peco"]
    forms = [form(PLAIN | {"game": odd}) for form in (NewTableForm, PlayNowForm) for odd in games]
    assert [list(form.errors) for form in forms] == [["game"]] * len(forms)


def test_the_address_of_a_new_table_may_name_its_game(alice_client: Client) -> None:
    expected = {"": 200, "?game=perudo": 200, "?game=hazard": 404}
    found = {query: alice_client.get(f"/games/new{query}").status_code for query in expected}
    assert found == expected


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


def test_play_now_is_against_as_many_as_chosen() -> None:
    found = {number: kinds(bots=str(number), strength="sharp") for number in (1, 2, 5)}
    assert found == {number: ["sharp"] * number for number in found}


def test_a_character_plays_beside_bots_of_its_strength() -> None:
    of_three = [kinds(bots="3", strength=key) for key in CHARACTERS]
    assert of_three == [[key, each.base, each.base] for key, each in CHARACTERS.items()]
    assert [kinds(bots="1", strength=key) for key in CHARACTERS] == [[key] for key in CHARACTERS]


def test_every_character_is_offered_by_name_with_what_to_expect(db: None, client: Client) -> None:
    page = client.get("/bots").content.decode()
    for key, each in CHARACTERS.items():
        assert f'<option value="{key}">{each.name}: {character_words.line(key)}</option>' in page


def test_mixed_opponents_go_round_all_kinds() -> None:
    assert kinds(bots="5", strength="mixed") == (list(BOTS) * 2)[:5]


def test_play_now_refuses_what_it_does_not_offer() -> None:
    odd = [{"bots": "0"}, {"bots": "6"}, {"bots": "x"}, {"strength": "god"}]
    assert [each for each in odd if PlayNowForm(each).is_valid()] == []
