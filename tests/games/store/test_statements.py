"""The statements of a move write what the ORM would."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import FactRow, Game
from games.store import statements
from tests.support.game_driver import deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return deal_game(alice, bob, hands=HANDS).game


def rows(game: Game) -> list[FactRow]:
    """One of each kind of values: for all, for one seat, for two, by a timeout, words of any kind.

    Their numbers follow what the game has.
    """
    data = [{}, {"face": 3, "dice": [1, None, 2.5]}, {"said": 'Zoë’s "100 %" \\ %s'}, {"deep": {}}]
    audiences = [None, (0,), (1, 3), None]
    return [
        FactRow(
            game=game,
            seq=game.seq + 1 + number,
            audience=audience,
            kind="kind",
            data=held,
            at=timezone.now(),
            automatic=number == 3 or None,
        )
        for number, (held, audience) in enumerate(zip(data, audiences, strict=True))
    ]


def values(game: Game) -> list[tuple[object, ...]]:
    names = ("seq", "audience", "kind", "data", "at", "automatic")
    return list(FactRow.unsealed.filter(game=game, kind="kind").values_list(*names))


@pytest.mark.parametrize("count", [1, 4])
def test_rows_are_inserted_as_the_orm_inserts_them(game: Game, count: int) -> None:
    made = rows(game)[:count]
    FactRow.unsealed.bulk_create(made)
    expected = values(game)
    FactRow.unsealed.filter(game=game, kind="kind").delete()
    for row in made:
        row.pk = None
    with CaptureQueriesContext(connection) as asked:
        statements.insert(made)
    assert len(asked) == 1
    assert values(game) == expected
    assert len(expected) == count


def test_a_number_that_is_taken_is_refused(game: Game) -> None:
    row = rows(game)[:1]
    statements.insert(row)
    with pytest.raises(IntegrityError), transaction.atomic():
        statements.insert(row)


def test_a_row_is_changed_as_the_orm_changes_it(game: Game, alice: User, bob: User) -> None:
    other = deal_game(alice, bob, hands=HANDS).game
    now = timezone.now()
    given = {"due_at": now, "opens_at": None, "seq": 99, "options": {"calza": "on"}}
    where = {"id": game.pk, "seq": game.seq}
    before = Game.objects.values().get(pk=game.pk)
    assert statements.update(Game, given, where=where)
    assert Game.objects.values().get(pk=game.pk) == before | given
    assert not statements.update(Game, given, where=where)  # it has moved on
    assert Game.objects.get(pk=other.pk).seq == other.seq
