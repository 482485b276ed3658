"""What a host chooses at a table of Peco Peco is exactly what the table plays."""

from __future__ import annotations

from dataclasses import asdict
from itertools import product
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.core.chance import SeededChance
from games.errors import Refused
from games.forms import PlayNowForm
from games.models import Game
from games.peco_peco import pace
from games.peco_peco.bots import BOTS
from games.peco_peco.forms import QUICK_PLAY, NewTableForm
from games.peco_peco.rules import KEY, start
from games.peco_peco.rules.options import CHOICES, PRESETS, SITE_PRESET, Options
from games.peco_peco.tests.fast_games import START, open_table
from games.play import before_start

PLAIN = {"game": KEY, "preset": "peco_base", "seats": "5", "pace": "45", "visibility": "public"}


def table(**chosen: str) -> dict[str, Any]:
    form = NewTableForm(PLAIN | chosen)
    assert form.is_valid(), form.errors
    return asdict(form.table_settings())


def options(**chosen: str) -> Options:
    return Options.from_json(table(**chosen)["options"])


def test_presets_are_played_as_they_are() -> None:
    assert {preset: options(preset=preset) for preset in PRESETS} == PRESETS
    assert [table(preset=preset)["preset"] for preset in PRESETS] == list(PRESETS)


def test_a_setting_is_played_as_chosen_and_nothing_else_changes(subtests: pytest.Subtests) -> None:
    for preset, name in product(PRESETS, CHOICES):
        as_printed = asdict(options(preset=preset))
        for value in CHOICES[name]:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            with subtests.test(preset=preset, name=name, value=value):
                assert asdict(options(preset=preset, **{name: text})) == as_printed | {name: value}


def test_every_setting_of_the_rules_is_on_the_form() -> None:
    form = NewTableForm(initial={"game": KEY})
    assert set(CHOICES) <= set(form.fields)
    assert {field.name for field in form.advanced_fields()} == set(CHOICES)
    assert form["preset"].initial == SITE_PRESET


def test_no_game_of_fewer_than_four_or_more_than_eight_begins() -> None:
    """B10, 26."""
    for seats in (-1, 0, 1, 2, 3, 9, 10):
        with pytest.raises(ValueError, match=f"4 to 8 players, not {seats}"):
            start(seats, Options(), SeededChance(1))
    for seats in (4, 5, 6, 7, 8):
        assert start(seats, Options(), SeededChance(1))


def test_a_table_of_three_is_refused_until_a_fourth_sits_down(
    alice: User, bob: User, charlie: User
) -> None:
    game = open_table(alice, bob, charlie, "easy")
    [bot] = game.seat_set.filter(user=None)
    before_start.remove(game.code, alice, number=bot.number, now=START)
    with pytest.raises(Refused) as refused:
        before_start.start(game.code, alice, now=START)
    assert (refused.value.code, refused.value.details) == ("too_few", {"least": 4})
    game.refresh_from_db()
    assert game.status == Game.Status.OPEN
    before_start.add_bot(game.code, alice, kind="easy", now=START)
    before_start.start(game.code, alice, now=START)
    game.refresh_from_db()
    assert game.status == Game.Status.PLAYING


def test_odd_input_is_refused_with_a_word_at_its_field() -> None:
    odd = [
        ("preset", "asmodee_fr"), ("seats", "3"),
        ("seats", "x"), ("slap_window_ms", "0"), ("slap_window_ms", "2000.0"),
        ("teams", "True"), ("peco_call", "maybe"), ("pace", "-1"),
    ]  # fmt: skip
    forms = [NewTableForm(PLAIN | {field: value}) for field, value in odd]
    assert [list(form.errors) for form in forms] == [[field] for field, _ in odd]


def test_a_table_is_opened_and_says_its_rules(alice_client: Client) -> None:
    answer = alice_client.post("/games/new", PLAIN | {"preset": "peco_teams"}, follow=True)
    game = Game.objects.get()
    assert (game.kind_key, game.size, game.options["teams"]) == (KEY, 5, "on")
    assert "Teams of two" in answer.content.decode()


def test_the_form_of_a_new_table_is_shown(alice_client: Client) -> None:
    page = alice_client.get(f"/games/new?game={KEY}").content.decode()
    assert "Say “Peco Peco!” when one card is left, or lose it." in page


# --- playing at once -----------------------------------------------------------------------------


def test_quick_play_is_for_four_by_the_plain_rules() -> None:
    form = PlayNowForm({"game": KEY})
    assert form.is_valid(), form.errors
    assert form.kinds() == list(BOTS)
    settings = form.table_settings()
    assert (settings.kind_key, settings.size) == (KEY, len(BOTS) + 1)
    assert {"preset": settings.preset, "options": settings.options} == QUICK_PLAY
    assert Options.from_json(QUICK_PLAY["options"]) == PRESETS[SITE_PRESET]


def test_quick_play_is_against_as_many_as_chosen(subtests: pytest.Subtests) -> None:
    for number in [3, 7]:
        with subtests.test(number=number):
            form = PlayNowForm({"game": KEY, "bots": str(number), "strength": "hard"})
            assert form.is_valid() and form.kinds() == ["hard"] * number


def test_quick_play_refuses_what_it_does_not_offer() -> None:
    odd = [{"bots": "2"}, {"bots": "8"}, {"strength": "sharp"}]
    assert [each for each in odd if PlayNowForm({"game": KEY} | each).is_valid()] == []


def test_a_quick_game_starts_at_once(alice_client: Client) -> None:
    alice_client.post("/play-now", {"game": KEY, "bots": "7", "strength": "easy"})
    game = Game.objects.get()
    assert (game.kind_key, game.status, game.seat_set.count()) == (KEY, Game.Status.PLAYING, 8)
    assert game.turn_seconds == pace.turn_seconds(8)
