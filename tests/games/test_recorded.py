"""A copied game is the played one in every row of the database but for keys, code and people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model
from django.utils import translation

from accounts.models import User
from games.models import Event, Game
from games.perudo.models import Round
from games.store import event_log
from tests.games.playing import EVENING, played_game
from tests.games.recorded import record

pytestmark = pytest.mark.django_db

LATER = timedelta(days=3, seconds=7)
COMPANIES = [("p",), ("p", "p"), ("steady", "p"), ("beginner", "sharp")]


def everything() -> dict[type[Model], list[Any]]:
    """Every row of the site, by model, in the order in which they were written."""
    managers = {model: model._default_manager for model in apps.get_models()}
    managers[Event] = Event.unsealed
    return {model: list(rows.order_by("pk")) for model, rows in managers.items()}


def told(rows: dict[type[Model], list[Any]], *, began: datetime) -> dict[str, list[Any]]:
    """What stands in the rows: others by their place in their model, times since then."""
    place = {
        (model, row.pk): number for model, found in rows.items() for number, row in enumerate(found)
    }

    def value(row: Any, field: Any) -> Any:
        given = getattr(row, field.attname)
        if field.name in ("code", "created_at", "password", "date_joined"):
            return None  # drawn, or of the day on which the test runs
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


def seated(host: User, others: Sequence[User], kinds: Sequence[str]) -> list[User | str]:
    waiting = iter(others)
    return [host, *(next(waiting) if kind == "p" else kind for kind in kinds)]


@pytest.mark.parametrize("kinds", COMPANIES, ids=" ".join)
@pytest.mark.parametrize("table", [{}, {"preset": "web_fr", "calza": "on", "public": False}])
def test_a_copy_leaves_every_row_that_playing_leaves(
    kinds: tuple[str, ...], table: dict[str, Any]
) -> None:
    """Every table of games and people is compared: one that playing alone fills would be missed."""
    count = kinds.count("p") + 1
    users = people("abc"[:count])
    game = played_game(*seated(users[0], users[1:], kinds), **table)
    played = told(everything(), began=EVENING)
    assert len(played["Event"]) > 20 and played["Result"] and played["Tally"] and played["Round"]
    recording = record(game, began=EVENING)
    Round.objects.all().delete()
    Game.objects.all().delete()
    User.objects.all().delete()
    copy = recording.copy(people("abc"[:count]), began=EVENING + LATER)
    assert told(everything(), began=EVENING + LATER) == played
    assert copy.code != game.code


def test_a_copied_game_is_read_as_the_played_one(alice: User, bob: User, charlie: User) -> None:
    game = played_game(alice, bob, calza="on")
    copy = record(game, began=EVENING).copy([bob, charlie], began=EVENING)
    assert event_log.public_state(copy) == event_log.public_state(game)
    facts = [event_log.unsealed_facts(each) for each in (copy, game)]
    assert facts[0] == facts[1]
    assert [seat.name for seat in copy.seat_set.order_by("number")] == ["bob", "charlie"]


def test_a_copy_speaks_the_language_in_which_it_is_asked_for() -> None:
    """Its table would have been opened in this language, in whichever it was played first."""
    with translation.override("fr"):
        game = played_game(*people("pq"))
        recording = record(game, began=EVENING)
        assert game.language == "fr"
    assert recording.copy(people("rs"), began=EVENING).language == "en"
