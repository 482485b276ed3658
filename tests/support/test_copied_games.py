"""A copied game is the played one in every row of the database but for keys, code and people."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model

from accounts.models import User
from games.models import FactRow, Game, SiteTally
from games.perudo.models import Round
from tests.support.copied_games import record
from tests.support.fast_games import START, played_game

pytestmark = pytest.mark.django_db

LATER = timedelta(days=3, seconds=7)


def everything() -> dict[type[Model], list[Any]]:
    """Every row of the site, by model, in the order in which they were written."""
    managers = {model: model._default_manager for model in apps.get_models()}
    managers[FactRow] = FactRow.unsealed
    return {model: list(rows.order_by("pk")) for model, rows in managers.items()}


def told(rows: dict[type[Model], list[Any]], *, began: datetime) -> dict[str, list[Any]]:
    """What stands in the rows: others by their place in their model, times since then."""
    place = {
        (model, row.pk): number for model, found in rows.items() for number, row in enumerate(found)
    }

    def value(row: Any, field: Any) -> Any:
        given = getattr(row, field.attname)
        if field.name in ("code", "created_at", "password", "date_joined", "part"):
            return None  # drawn, of the day on which the test runs, or by the key of the game
        if field.is_relation and given is not None:
            return place[field.related_model, given]
        if field.primary_key:
            return None
        return given - began if isinstance(given, datetime) else given

    return {
        model.__name__: [
            {field.name: value(row, field) for field in row._meta.concrete_fields} for row in found
        ]
        for model, found in rows.items()
        if model._meta.app_label in ("games", "perudo", "accounts")
    }


def people(names: str) -> list[User]:
    return [User.objects.create_user(name) for name in names]


def test_a_copy_leaves_every_row_that_playing_leaves() -> None:
    """Every table of games and people is compared: one that playing alone fills would be missed."""
    host, other = people("ab")
    game = played_game(host, "steady", other, calza="on")
    played = told(everything(), began=START)
    assert len(played["FactRow"]) > 20 and played["Result"] and played["Tally"] and played["Round"]
    recording = record(game, began=START)
    Round.objects.all().delete()
    Game.objects.all().delete()
    SiteTally.objects.all().delete()
    User.objects.all().delete()
    copy = recording.copy(people("ab"), began=START + LATER)
    assert told(everything(), began=START + LATER) == played
    assert copy.code != game.code
