"""People press, answer and leave at the same instant, in threads: nobody sits twice or is lost."""

from __future__ import annotations

from functools import partial

import pytest

from accounts.models import User
from games.lobby.matching import jobs, searches
from games.models import Game, Search, Seat
from games.play import quick_tables
from tests.games.lobby.matching.test_searches import press
from tests.games.play.test_races import at_once
from tests.support.fast_games import START

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 4


def assert_everybody_has_one_place(people: list[User]) -> None:
    """Everybody in line has a seat, nobody has two, and two or more count down."""
    for person in people:
        mine = Seat.objects.filter(user=person, game__origin="quick", live=True)
        search = Search.objects.get(pk=person.pk)
        assert [seat.game_id for seat in mine] == [search.table_id], search.state
    for table in Game.objects.filter(origin="quick", status="open"):
        assert (table.seat_set.count() > 1) == (table.starts_at is not None)


@pytest.mark.parametrize("_", range(TIMES))
def test_those_who_press_at_once_meet(db: None, _: int) -> None:
    people = [User.objects.create_user(f"person-{number}") for number in range(4)]
    assert at_once(*(partial(press, person) for person in people)) == ["done"] * 4
    assert Game.objects.filter(origin="quick").count() == 1
    assert_everybody_has_one_place(people)


@pytest.mark.parametrize("_", range(TIMES))
def test_an_answer_against_the_end_of_the_countdown(alice: User, bob: User, _: int) -> None:
    press(alice)
    press(bob)
    over = START + quick_tables.COUNTDOWN
    answered, ended = at_once(
        lambda: searches.answer(alice, now=over), lambda: jobs.end_countdowns(over, 0)
    )
    assert ended == "done" and answered in ("done", "not_in_line")
    if answered == "done":
        assert_everybody_has_one_place([alice, bob])
        assert Game.objects.get(origin="quick").status == "playing"
    else:
        assert_everybody_has_one_place([bob])
        assert Search.objects.get(pk=alice.pk).state == "missed"


@pytest.mark.parametrize("_", range(TIMES))
def test_two_processes_end_a_countdown_once(alice: User, bob: User, _: int) -> None:
    press(alice)
    press(bob)
    Search.objects.update(state="ready")
    over = START + quick_tables.COUNTDOWN
    end = partial(jobs.end_countdowns, over, 0)
    assert at_once(end, end, end) == ["done"] * 3
    assert Game.objects.filter(origin="quick", status="playing").count() == 1
    assert_everybody_has_one_place([alice, bob])
