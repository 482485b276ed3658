"""The table of rounds can be taken away and made again: the log and the other game stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from games.models import FactRow, Game, Tally
from games.peco_peco.models import Round
from games.peco_peco.tests.fast_games import play_until, played_game, running_game
from games.perudo.models import Round as RoundOfTheOtherGame
from games.store import versioned_lru
from tests.support import fast_games as the_other_game

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = Round._meta.db_table


@pytest.fixture(autouse=True)
def _forward_again() -> Iterator[None]:
    yield
    migrate()


def migrate(*whereto: str) -> None:
    call_command("migrate", *whereto, verbosity=0)


def columns() -> set[str]:
    """The columns of the table of rounds; none when there is no such table."""
    with connection.cursor() as cursor:
        if TABLE not in connection.introspection.table_names(cursor):
            return set()
        described = connection.introspection.get_table_description(cursor, TABLE)
    return {column.name for column in described}


def test_the_way_back_takes_the_rounds_of_this_game_and_nothing_else(
    alice: User, bob: User, charlie: User
) -> None:
    played_game(alice, bob, charlie, "easy", seed=3)
    the_other_game.finished_game(alice, bob)
    before = columns()
    kept = (FactRow.unsealed, Tally.objects, RoundOfTheOtherGame.objects)
    rows = [list(manager.order_by("pk").values()) for manager in kept]
    assert before and Round.objects.exists() and all(rows)
    migrate("peco_peco", "zero")
    assert columns() == set()
    assert [list(manager.order_by("pk").values()) for manager in kept] == rows
    migrate()
    assert columns() == before and not Round.objects.exists()
    assert [list(manager.order_by("pk").values()) for manager in kept] == rows


def test_a_running_game_goes_on_after_the_way_back_and_forth(
    alice: User, bob: User, charlie: User
) -> None:
    game = running_game(alice, bob, charlie, "easy", seed=3)
    game = play_until(game, lambda state: state.number == 3, seed=3)
    migrate("peco_peco", "zero")
    migrate()
    versioned_lru.clear_all()
    game = play_until(Game.objects.get(pk=game.pk), lambda state: False, seed=3)
    assert game.status == Game.Status.FINISHED
    rounds = Round.objects.filter(game=game)
    assert rounds[0].number == 3 and all(row.hands and row.bluffs for row in rounds)


def test_a_round_is_stored_once(alice: User, bob: User, charlie: User) -> None:
    played_game(alice, bob, charlie, "easy", seed=3)
    again = Round.objects.all()[0]
    again.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save()
