"""Visits: when one begins, what is new then, and how little is written of it."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import account_data, lifecycle, visits
from accounts.models import User
from tests.support.fast_games import START


def look(person: User, *, hours: float, writes: bool = True) -> float | None:
    """After how many hours what is new to this person came, if they look after so many."""
    now = START + timedelta(hours=hours)
    found = visits.since(User.objects.get(pk=person.pk), now=now)
    if writes:
        assert visits.write(now, 1.0) is False
    return None if found is None else (found - START) / timedelta(hours=1)


def test_what_is_new_came_after_the_visit_before(alice: User) -> None:
    assert look(alice, hours=0) is None
    assert look(alice, hours=0.4) is None
    assert look(alice, hours=5) == 0
    assert [look(alice, hours=5 + each / 10) for each in range(5)] == [0] * 5
    assert look(alice, hours=5.5) == 5
    assert look(alice, hours=30) == 5.5


def test_it_is_new_before_it_is_written_too(alice: User) -> None:
    look(alice, hours=0)
    assert [look(alice, hours=5 + each / 10, writes=False) for each in range(3)] == [0, 0, 0]
    assert look(alice, hours=5.3) == 0
    alice.refresh_from_db()
    assert alice.visit_began_at == START + timedelta(hours=5)  # when it was noted first


def test_a_visit_is_one_update_however_often_the_page_is_loaded(alice: User, bob: User) -> None:
    look(alice, hours=0)
    with CaptureQueriesContext(connection) as looked:
        for person in (alice, bob):
            for minute in range(60, 89):
                visits.since(person, now=START + timedelta(minutes=minute))
    assert len(looked) == 0
    now = START + timedelta(minutes=89)
    with CaptureQueriesContext(connection) as written:
        visits.write(now, 1.0)
        visits.write(now, 1.0)
    assert len(written) == 2  # one for each of them
    assert all(each["sql"].startswith("UPDATE") for each in written)


def test_two_processes_that_note_one_visit_count_it_once(alice: User) -> None:
    look(alice, hours=0)
    stale = User.objects.get(pk=alice.pk)
    later = START + timedelta(hours=3)
    for seconds in (0, 2):  # the second has read the row before the first wrote it
        visits.since(stale, now=later + timedelta(seconds=seconds))
        visits.write(later + timedelta(seconds=seconds), 1.0)
    alice.refresh_from_db()
    assert (alice.visit_before_at, alice.visit_began_at) == (START, later)


def test_the_job_ends_in_time_and_goes_on_later(alice: User, bob: User) -> None:
    for person in (alice, bob):
        visits.since(person, now=START)
    assert visits.write(START, 0.0) is True
    assert visits.write(START, 0.0) is False
    assert User.objects.filter(visit_began_at=START).count() == 2


def test_the_times_of_visits_are_my_data_and_go_with_the_account(alice: User) -> None:
    look(alice, hours=0)
    look(alice, hours=2)
    data = account_data.export(User.objects.get(pk=alice.pk))
    assert data["visit_before_began"] == START.isoformat()
    assert data["visit_began"] == (START + timedelta(hours=2)).isoformat()
    visits.since(alice, now=START + timedelta(hours=9))
    lifecycle.forget(User.objects.get(pk=alice.pk))
    visits.write(START + timedelta(hours=9), 1.0)  # it was noted before
    alice.refresh_from_db()
    assert alice.visit_began_at is None and alice.visit_before_at is None
