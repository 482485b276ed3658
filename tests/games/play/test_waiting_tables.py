"""Tables that wait: who is kept out, whose seats are kept, who starts when the host is away."""

from __future__ import annotations

from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.core.moves import Leave
from games.models import Game, Seat
from games.play import (
    before_start,
    close_by_staff,
    commands,
    housekeeping,
    next_tables,
    presence,
    rematches,
)
from games.play.next_tables import COUNTDOWN
from games.play.waiting_tables import HOST_AWAY
from games.words import reason
from tests.support.cases import untouched
from tests.support.consumer_socket import ConsumerSocket, run_async
from tests.support.fast_games import START, finish_game, finished_game, open_table, running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import refusal_of, seat_names

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
LATER = START + timedelta(hours=1)


def own(client: Client, code: str) -> str:
    """The reader's own part of the table's page."""
    page = unescape(client.get(f"/games/{code}").content.decode())
    return page.split('<section id="own"')[1].split("</section>")[0]


def removals() -> int:
    """How many people are kept out of tables."""
    return Game.removed.through.objects.count()


# --- removed by the host -------------------------------------------------------------------------


def test_whom_the_host_has_removed_does_not_come_back(
    alice: User, bob: User, charlie: User
) -> None:
    code = open_table(alice, bob, charlie).code
    before_start.remove(code, alice, number=1, now=START)
    for _ in range(3):
        assert refusal_of(lambda: before_start.sit(code, bob, now=START)) == "removed"
    assert reason("removed") in own(signed_in(bob), code)
    assert "/sit" not in own(signed_in(bob), code)
    before_start.stand(code, charlie, now=START)
    before_start.sit(code, charlie, now=START)
    assert seat_names(code) == ["alice", "charlie", None], "who left may come back"
    other = open_table(charlie, alice).code
    before_start.stand(other, alice, now=START)
    before_start.sit(other, bob, now=START)
    assert "bob" in seat_names(other), "only of that table"


def test_to_remove_a_bot_keeps_no_bot_out(alice: User) -> None:
    code = open_table(alice, "steady").code
    before_start.remove(code, alice, number=1, now=START)
    before_start.add_bot(code, alice, kind="steady", now=START)
    assert seat_names(code) == ["alice", "steady"] and not removals()


def test_a_removed_person_is_forgotten_when_the_table_begins_or_closes(
    alice: User, bob: User, charlie: User, subtests: pytest.Subtests
) -> None:
    for ends in ["start", "close", "staff"]:
        with subtests.test(ends=ends), untouched():
            code = open_table(alice, bob, charlie).code
            before_start.remove(code, alice, number=1, now=START)
            assert removals() == 1
            if ends == "staff":
                close_by_staff.close(code)
            else:
                getattr(before_start, ends)(code, alice, now=START)
            assert not removals()


def test_a_rematch_does_not_seat_whom_its_host_has_removed(
    alice: User, bob: User, charlie: User
) -> None:
    old = finished_game(alice, bob, charlie)
    Seat.objects.filter(game=old, user=charlie).update(seen_at=LATER)
    new = rematches.rematch(old.code, alice, now=LATER)
    rematches.rematch(old.code, bob, now=LATER)
    before_start.remove(new.code, alice, number=1, now=LATER)
    assert refusal_of(lambda: rematches.rematch(old.code, bob, now=LATER)) == "removed"


# --- the seats of a rematch ----------------------------------------------------------------------


def test_a_public_rematch_keeps_the_seats_of_its_players_while_it_waits(
    alice: User, bob: User, charlie: User
) -> None:
    old = finished_game(alice, bob)
    code = rematches.rematch(old.code, alice, now=LATER).code
    soon = LATER + COUNTDOWN - SECOND
    assert refusal_of(lambda: before_start.sit(code, charlie, now=soon)) == "seats_kept"
    assert reason("seats_kept") in own(signed_in(charlie), code)
    assert "/sit" in own(signed_in(bob), code)
    rematches.rematch(old.code, bob, now=soon)
    assert seat_names(code) == ["alice", "bob"]
    assert Game.objects.get(code=code).status == Game.Status.PLAYING


def test_after_that_strangers_may_sit_and_their_pages_say_so(
    alice: User, bob: User, charlie: User
) -> None:
    old = finished_game(alice, bob)
    code = rematches.rematch(old.code, alice, now=LATER).code
    seq = Game.objects.get(code=code).seq
    then = LATER + COUNTDOWN
    next_tables.run(now=then - SECOND)
    assert Game.objects.get(code=code).seq == seq
    next_tables.run(now=then)
    assert Game.objects.get(code=code).seq == seq + 1, "a frame is sent"
    assert "/sit" in own(signed_in(charlie), code)
    before_start.sit(code, charlie, now=then)
    assert refusal_of(lambda: rematches.rematch(old.code, bob, now=then)) == "table_full"


def test_a_seat_that_nobody_had_is_free_for_strangers_at_once(
    alice: User, bob: User, charlie: User
) -> None:
    game = running_game(alice, bob, charlie)
    commands.move(game.code, 2, Leave(), seen=None, now=LATER)
    old = finish_game(Game.objects.get(pk=game.pk))
    code = rematches.rematch(old.code, alice, now=LATER).code
    stranger = User.objects.create_user("dora")
    before_start.sit(code, stranger, now=LATER)
    assert seat_names(code) == ["alice", "dora", None], "Charlie had left the game"
    another = User.objects.create_user("emil")
    assert refusal_of(lambda: before_start.sit(code, another, now=LATER)) == "seats_kept"


def test_no_seat_is_kept_for_whom_the_host_removed(alice: User, bob: User, charlie: User) -> None:
    old = finished_game(alice, bob, charlie)
    Seat.objects.filter(game=old, user=charlie).update(seen_at=LATER)
    code = rematches.rematch(old.code, alice, now=LATER).code
    rematches.rematch(old.code, bob, now=LATER)
    before_start.remove(code, alice, number=1, now=LATER)
    stranger = User.objects.create_user("dora")
    before_start.sit(code, stranger, now=LATER)
    assert seat_names(code) == ["alice", "dora", None]


def test_a_private_rematch_keeps_none(alice: User, bob: User, charlie: User) -> None:
    """Who has its link was asked to come."""
    old = finished_game(alice, bob, public=False)
    code = rematches.rematch(old.code, alice, now=LATER).code
    before_start.sit(code, charlie, now=LATER)
    assert seat_names(code) == ["alice", "charlie"]


# --- the host is away ----------------------------------------------------------------------------


@pytest.fixture
def table(alice: User, bob: User, charlie: User) -> str:
    """An open table of three; Alice hosts."""
    return open_table(alice, bob, charlie).code


def are_here(code: str, *numbers: int, now: object) -> None:
    Seat.objects.filter(game__code=code, number__in=numbers).update(seen_at=now)


def test_the_next_in_line_may_start_when_the_host_is_away_for_two_minutes(
    table: str, alice: User, bob: User, charlie: User
) -> None:
    then = START + HOST_AWAY
    are_here(table, 1, 2, now=then)
    housekeeping.run(now=then - SECOND)
    assert refusal_of(lambda: before_start.start(table, bob, now=then)) == "not_host"
    seq = Game.objects.get(code=table).seq
    housekeeping.run(now=then)
    assert Game.objects.get(code=table).seq == seq + 1
    assert "alice is away, so you can start the game." in own(signed_in(bob), table)
    assert "/start" in own(signed_in(bob), table)
    assert "/start" not in own(signed_in(charlie), table)
    assert refusal_of(lambda: before_start.start(table, charlie, now=then)) == "not_host"
    assert refusal_of(lambda: before_start.remove(table, bob, number=2, now=then)) == "not_host"
    before_start.start(table, bob, now=then)
    game = Game.objects.get(code=table)
    assert (game.status, game.host) == (Game.Status.PLAYING, alice)


def test_of_those_who_are_here_the_first_is_next_in_line(table: str, charlie: User) -> None:
    then = START + HOST_AWAY
    are_here(table, 2, now=then)
    housekeeping.run(now=then)
    assert Game.objects.get(code=table).acting_host == charlie


def test_nobody_acts_where_nobody_is_here(table: str) -> None:
    before = Game.objects.values().get()
    housekeeping.run(now=START + HOST_AWAY)
    assert Game.objects.values().get() == before


def test_a_host_who_is_back_starts_and_nobody_else(table: str, bob: User) -> None:
    then = START + HOST_AWAY
    are_here(table, 1, now=then)
    housekeeping.run(now=then)
    assert Game.objects.get(code=table).acting_host == bob
    presence.record(Game.objects.get(code=table), 0, now=then)
    housekeeping.run(now=then)
    assert Game.objects.get(code=table).acting_host is None
    assert refusal_of(lambda: before_start.start(table, bob, now=then)) == "not_host"


def test_what_a_host_does_shows_that_they_are_here(table: str, alice: User) -> None:
    then = START + HOST_AWAY
    are_here(table, 1, 2, now=then)
    before_start.set_chat(table, alice, on=False, now=then)
    housekeeping.run(now=then)
    assert Game.objects.get(code=table).acting_host is None


def test_who_acted_and_stands_up_acts_no_more(table: str, bob: User, charlie: User) -> None:
    then = START + HOST_AWAY
    are_here(table, 1, 2, now=then)
    housekeeping.run(now=then)
    before_start.stand(table, bob, now=then)
    assert refusal_of(lambda: before_start.start(table, bob, now=then)) == "not_host"
    housekeeping.run(now=then)
    assert Game.objects.get(code=table).acting_host == charlie


@pytest.mark.django_db(transaction=True)
def test_an_open_page_shows_that_its_reader_is_here(alice: User, bob: User) -> None:
    code = open_table(alice, bob).code
    before = timezone.now()

    async def scene() -> None:
        socket = ConsumerSocket(f"/ws/games/{code}?lang=en", signed_in_bob)
        await socket.open()
        await socket.frame()
        await socket.disconnect()

    signed_in_bob = signed_in(bob)
    run_async(scene)
    seen = dict(Seat.objects.values_list("number", "seen_at"))
    assert seen[0] == START and seen[1] is not None and seen[1] >= before
