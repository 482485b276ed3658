"""Every setting of a table goes from the form to the table, to the next ones and into the copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import pytest

from accounts.models import User
from games.contract import catalogue
from games.models import Game, StandingTable, TableSettings
from games.play import before_start, rematches
from games.study.players import history
from tests.support.fast_games import START, finish_game

pytestmark = pytest.mark.django_db

# Each setting as a form asks for it, different from what is proposed; and what it becomes.
CHOSEN: Final[Mapping[str, tuple[Mapping[str, str], Any]]] = {
    "kind_key": ({"game": "perudo"}, "perudo"),
    "preset": ({"preset": "web_fr"}, "web_fr"),
    "options": ({"calza": "on"}, None),  # read back below
    "size": ({"seats": "5"}, 5),
    "turn_seconds": ({"pace": "90"}, 90),
    "tempo": ({"tempo": "fast"}, "fast"),
    "chat": ({"chat": ""}, False),
    "show_odds": ({"show_odds": "on", "lost_dice_visible": "on"}, True),
    "visibility": ({"visibility": "link"}, "link"),
}
NOT_ASKED = {"rated": True, "standing_id": 7}  # what no form of a table offers
NAMES = [field.name for field in fields(TableSettings)]
PROPOSED = {
    **{"kind": "custom", "preset": "asmodee_fr", "seats": "4", "pace": "auto"},
    **{"tempo": "normal", "visibility": "public", "chat": "on"},
}


def of_the_form(asked: Mapping[str, str]) -> TableSettings:
    form = catalogue.of("perudo").forms.NEW_TABLE(PROPOSED | asked)
    assert form.is_valid(), form.errors
    return form.table_settings()


def all_chosen() -> TableSettings:
    asked: dict[str, str] = {}
    for fields_of_form, _ in CHOSEN.values():
        asked |= fields_of_form
    StandingTable.objects.get_or_create(
        pk=NOT_ASKED["standing_id"],
        defaults={"owner": User.objects.get(username="alice"), "settings": {}, "created_at": START},
    )
    settings = of_the_form(asked)
    return TableSettings(**{name: getattr(settings, name) for name in CHOSEN} | NOT_ASKED)


def test_no_setting_is_forgotten_here() -> None:
    assert [*CHOSEN, *NOT_ASKED] == NAMES


def test_a_form_asks_for_every_setting(subtests: pytest.Subtests) -> None:
    for name in CHOSEN:
        with subtests.test(name=name):
            asked, value = CHOSEN[name]
            chosen = getattr(of_the_form(asked), name)
            if name == "options":
                assert chosen["calza"] == "on" != of_the_form({}).options["calza"]
            else:
                assert chosen == value
                assert name == "kind_key" or value != getattr(of_the_form({}), name)


def test_the_table_stores_every_setting(alice: User) -> None:
    settings, usual = all_chosen(), of_the_form({})
    code = before_start.open_game(alice, settings, now=START).code
    stored = TableSettings.of(Game.objects.get(code=code))
    for name in NAMES:
        assert getattr(stored, name) == getattr(settings, name), name
        assert name == "kind_key" or getattr(stored, name) != getattr(usual, name), name


@pytest.fixture
def after_the_game(alice: User) -> Mapping[str, Any]:
    """The settings of the tables after one against a bot, by the way they were opened, and as the
    copy of a person's data has them."""
    bots = ["steady"]
    old = before_start.play_now(alice, all_chosen(), bots=bots, now=START)
    finish_game(old)
    again = rematches.play_again(old.code, alice, now=START)
    rematch = rematches.rematch(old.code, alice, now=START)
    copies = {each["code"]: each for each in history.export(alice)["games"]}
    settings = {game: TableSettings.of(Game.objects.get(pk=game.pk)) for game in (again, rematch)}
    return {
        "play again": settings[again],
        "rematch": settings[rematch],
        "copy": copies[old.code],
    }


@pytest.mark.parametrize("where", ["play again", "rematch", "copy"])
def test_every_setting_comes_along(where: str, after_the_game: Mapping[str, Any]) -> None:
    kept = after_the_game[where]
    for name in NAMES:
        value = kept[name] if where == "copy" else getattr(kept, name)
        assert value == getattr(all_chosen(), name), name


@pytest.mark.parametrize(("listed", "visibility"), [(True, "public"), (False, "link")])
def test_a_table_of_the_version_before_is_listed_or_by_link(listed: bool, visibility: str) -> None:
    game = Game(visibility="", listed=listed, options={})
    assert TableSettings.of(game).visibility == visibility
