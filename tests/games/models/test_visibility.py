"""Who finds a table: kept on the way back and forth, and beside processes of the version before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from accounts.models import User
from games.models import Game
from tests.support.fast_games import finished_game, open_table, running_game

pytestmark = pytest.mark.django_db

BEFORE = "0026_waiting_tables"
PUBLIC, LINK = Game.Visibility.PUBLIC, Game.Visibility.LINK


@pytest.fixture
def forward_again() -> Iterator[None]:
    yield
    call_command("migrate", verbosity=0)


def model_of_the_version_before() -> Any:
    loader = MigrationExecutor(connection).loader
    return loader.project_state([("games", BEFORE)]).apps.get_model("games", "Game")


@pytest.fixture
def games(alice: User, bob: User) -> list[Game]:
    """An open, a running and a finished table of either kind."""
    return [
        play(alice, bob, public=public)
        for play in (open_table, running_game, finished_game)
        for public in (True, False)
    ]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("forward_again")
def test_tables_keep_their_visibility_on_the_way_back_and_forth(games: list[Game]) -> None:
    expected = {game.code: game.visibility for game in games}
    assert list(expected.values()) == [PUBLIC, LINK] * 3
    call_command("migrate", "games", BEFORE, verbosity=0)
    old = model_of_the_version_before().objects.values_list("code", "public")
    assert dict(old) == {code: kept == PUBLIC for code, kept in expected.items()}

    call_command("migrate", verbosity=0)
    assert dict(Game.objects.values_list("code", "visibility")) == expected
    assert not Game.objects.filter(rated=True).exists()


@pytest.mark.parametrize("public", [True, False])
def test_a_process_of_the_version_before_reads_and_opens_tables(
    alice: User, bob: User, public: bool
) -> None:
    old = model_of_the_version_before()
    ours = open_table(alice, bob, public=public)
    assert old.objects.get(pk=ours.pk).public is public

    opened = old.objects.create(
        **dict.fromkeys(("rules", "preset"), "perudo"),
        options={},
        size=2,
        public=public,
        host_id=alice.pk,
        code="beside",
    )
    theirs = Game.objects.get(pk=opened.pk)
    assert (theirs.visibility, theirs.listed, theirs.rated) == ("", public, False)


@pytest.mark.parametrize(("visibility", "listed"), [(PUBLIC, False), (LINK, True)])
def test_the_database_refuses_a_table_listed_against_its_visibility(
    alice: User, bob: User, visibility: str, listed: bool
) -> None:
    game = open_table(alice, bob)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(visibility=visibility, listed=listed)


@pytest.mark.parametrize(("status", "order"), [("open", "created_at"), ("finished", "finished_at")])
def test_the_lists_of_public_tables_are_read_from_their_index(
    games: list[Game], status: str, order: str
) -> None:
    is_postgresql = connection.vendor == "postgresql"
    if is_postgresql:  # which reads a table this small from end to end
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
    plan = Game.objects.filter(listed=True, status=status).order_by(f"-{order}")[:5].explain()
    # SQLite does not know that the parameters fit the partial index.
    assert ("game_latest" if is_postgresql and status == "finished" else "game_lobby") in plan
