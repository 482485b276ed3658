"""Going back to an older version and forward again: no fact, result or number is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from accounts.models import User
from games.models import FactRow, Game, PackedLog, Result, Tally
from games.perudo.rules.options import PRESETS
from games.play import before_start, throws
from games.store import archive, record_export, versioned_lru
from tests.games.play.test_finish import assert_the_past_is_true
from tests.support.fast_games import START, finish_game, finished_game, open_table, running_game

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _forward_again() -> Iterator[None]:
    yield
    migrate()


def migrate(*whereto: str) -> None:
    call_command("migrate", *whereto, verbosity=0)


def table(name: str, *columns: str) -> list[tuple[Any, ...]]:
    """These columns of every row, in order, asked without any model: older ones have other rows."""
    quoted = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {quoted} FROM {name} ORDER BY {quoted}")  # noqa: S608
        return list(cursor.fetchall())


def counted() -> list[tuple[Any, ...]]:
    rows = Tally.objects.order_by("user", "kind_key", "counter")
    return list(rows.values_list("user", "kind_key", "counter", "value"))


def facts() -> list[tuple[Any, ...]]:
    return table("games_event", "game_id", "seq", "only", "kind", "data", "at")


@pytest.fixture
def games(alice: User, bob: User, charlie: User) -> list[Game]:
    """Finished games of every preset, a running one, an open and a closed table."""
    finished = [
        finished_game(alice, bob, charlie, "steady", preset=preset, calza="on", seed=seed)
        for seed, preset in enumerate(PRESETS, start=1)
    ]
    running_game(alice, bob, rounds=2, seed=3)
    open_table(bob, charlie)
    before_start.close(open_table(alice, charlie).code, alice, now=START)
    return finished


@pytest.mark.slow
def test_after_a_way_back_and_forth_everything_is_as_it_was(games: list[Game]) -> None:
    """The way back unpacks every log into the very same rows; after that the games go on."""
    records = [record_export.as_json(game) for game in games]
    results, tallies, before = list(Result.objects.values()), counted(), facts()
    for game in games[:-1]:
        assert game.pack_at is not None
        archive.pack(game.code, now=game.pack_at)
    assert PackedLog.unsealed.count() == len(games) - 1 and facts() != before
    migrate("games", "0003")
    assert facts() == before

    migrate()
    versioned_lru.clear_all()
    assert [record_export.as_json(Game.objects.get(pk=game.pk)) for game in games] == records
    assert sorted(Result.objects.values(), key=str) == sorted(results, key=str)
    throws.make_up(START, 60.0)  # what was thrown is counted anew
    assert counted() == tallies
    assert_the_past_is_true()

    # The games of an older version are packed in their turn.
    late = max(game.finished_at for game in games if game.finished_at)
    waiting = archive.waiting(now=late, most=99)
    assert sorted(waiting) == sorted(game.code for game in games)
    for code in waiting:
        archive.pack(code, now=late)
    assert not FactRow.unsealed.filter(game__status=Game.Status.FINISHED).exists()

    game = finish_game(Game.objects.get(status=Game.Status.PLAYING), seed=5)
    assert game.status == Game.Status.FINISHED
    assert_the_past_is_true()
