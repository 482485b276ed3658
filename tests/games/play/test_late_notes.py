"""Notes for which the database was away are written later, unless they are true no longer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connection

from accounts.models import User
from games.models import Game, Seat
from games.play import late_notes, open_pages, presence
from tests.support.fast_games import START, finished_game

LATER = START + timedelta(hours=1)
SECOND = timedelta(seconds=1)


class Database:
    """Takes notes while it is not away."""

    def __init__(self) -> None:
        self.is_away = False
        self.notes: list[object] = []

    def take(self, what: object) -> Callable[[], None]:
        def write() -> None:
            if self.is_away:
                raise OperationalError("database is locked")
            self.notes.append(what)

        return write


def test_a_note_is_written_at_once_where_it_can() -> None:
    database = Database()
    late_notes.write("key", now=database.take("now"), later=database.take("later"))
    late_notes.run(now=START)
    assert database.notes == ["now"]


def test_it_is_written_once_when_the_database_is_back() -> None:
    database = Database()
    database.is_away = True
    late_notes.write("one", now=database.take(1), later=database.take("1, later"))
    late_notes.write("two", now=database.take(2), later=database.take("2, later"))
    for _ in range(2):
        with pytest.raises(OperationalError):
            late_notes.run(now=START)
    database.is_away = False
    for _ in range(2):
        late_notes.run(now=START)
    assert database.notes == ["1, later", "2, later"]


def test_a_newer_one_takes_its_place() -> None:
    database = Database()
    database.is_away = True
    late_notes.write("key", now=database.take(1), later=database.take("1, later"))
    database.is_away = False
    late_notes.write("key", now=database.take(2), later=database.take("2, later"))
    late_notes.run(now=START)
    assert database.notes == [2]


def test_a_lost_connection_is_an_outage_too() -> None:
    def lost() -> None:
        raise InterfaceError("connection already closed")

    database = Database()
    late_notes.write("key", now=lost, later=database.take("later"))
    late_notes.run(now=START)
    assert database.notes == ["later"]


def test_those_that_wait_longest_go_where_too_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late_notes, "MOST", 3)
    database = Database()
    database.is_away = True
    for number in range(5):
        late_notes.write(number, now=database.take("now"), later=database.take(number))
    database.is_away = False
    late_notes.run(now=START)
    assert database.notes == [2, 3, 4]


# --- who leaves a page while the database is away -------------------------------------------------


def refuse_updates(execute: Any, query: str, *rest: Any) -> Any:
    if query.startswith("UPDATE"):
        raise OperationalError("database is locked")
    return execute(query, *rest)


@pytest.fixture
def old(alice: User, bob: User) -> Game:
    """A game that is over, whose page both have in view."""
    game = finished_game(alice, bob)
    for person in (alice, bob):
        presence.came_back(game.code, person.pk, now=LATER)
    return game


def seen(game: Game, person: User) -> datetime | None:
    return Seat.objects.get(game=game, user=person).seen_at


@pytest.mark.django_db(transaction=True)
def test_who_went_away_is_waited_for_no_longer(old: Game, alice: User, bob: User) -> None:
    with connection.execute_wrapper(refuse_updates):
        presence.went_away(old.code, alice.pk, now=LATER + SECOND)
    assert seen(old, alice) == LATER
    late_notes.run(now=LATER + 5 * SECOND)
    assert (seen(old, alice), seen(old, bob)) == (None, LATER)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_here", [True, False])
def test_who_has_come_back_meanwhile_is_there(old: Game, alice: User, is_here: bool) -> None:
    """To this process, or to another, which knows of no note that waits."""
    with connection.execute_wrapper(refuse_updates):
        presence.went_away(old.code, alice.pk, now=LATER + SECOND)
    back = LATER + 2 * SECOND
    if is_here:
        presence.came_back(old.code, alice.pk, now=back)
    else:
        Seat.objects.filter(game=old, user=alice).update(seen_at=back)
    late_notes.run(now=LATER + 5 * SECOND)
    assert seen(old, alice) == back


@pytest.mark.django_db(transaction=True)
def test_others_hear_late_that_a_player_has_left(
    old: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_pages.get_channel_layer(), "has_peers", lambda: True)
    seat = Seat.objects.get(game=old, user=alice)

    def is_elsewhere() -> bool:
        return open_pages.is_elsewhere_in_view(old.code, alice.pk, now=LATER)

    open_pages.tell_others(seat, old.code, now=LATER)
    with connection.execute_wrapper(refuse_updates):
        open_pages.tell_others_of_leaving(seat, old.code, now=LATER)
    assert is_elsewhere()
    late_notes.run(now=LATER)
    assert not is_elsewhere()
