"""Settling: make a quick table and the searches of its people consistent after any change.

Everything here runs within `lock.one_at_a_time`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from games.contract import catalogue
from games.errors import Refused
from games.lobby.matching import queue, strength
from games.lobby.matching.queue import Choice
from games.models import IN_LINE, Game, Search
from games.play import alarm, quick_tables
from games.social.inbox import entries as inbox
from games.store import queries

State, Status = Search.State, Game.Status


def settle(table: Game, *, now: datetime) -> None:
    """Settle a quick table and the searches of its people, within `one_at_a_time`.

    One person alone waits, in a warm-up. With two or more, the countdown runs, and the game begins
    as soon as all are ready. Seats without a search are freed, and searches without a seat end.
    """
    table = Game.objects.get(pk=table.pk)
    company = _matched(table, now=now)
    if table.status != Status.OPEN or not company:
        return
    if len(company) == 1:
        if table.starts_at is not None:
            quick_tables.count_down(table, until=None, now=now)
        change(company, State.WAITING, now=now)
        _warm_up(company[0], table.kind_key, now=now)
    elif all(each.state == State.READY for each in company):
        _begin(table, company, now=now)
    else:
        waited = [each for each in company if each.state == State.WAITING]
        change(waited, State.ASKED, now=now)
        count_down(table, until=table.starts_at or now + quick_tables.COUNTDOWN, now=now)
    inbox.touch(each.user_id for each in company)


def count_down(table: Game, *, until: datetime, now: datetime) -> None:
    """Set the time at which a table begins, refresh its page, and set an alarm."""
    quick_tables.count_down(table, until=until, now=now)
    alarm.set_on_commit(f"{table.code} begins", until)


def company_of(table: Game) -> QuerySet[Search]:
    """The searches of the people at a table."""
    return Search.objects.filter(table=table, state__in=IN_LINE).select_related("user")


def sit(search: Search, found: Choice, *, home: str, now: datetime) -> None:
    """Seat a person at a table where others wait; it becomes one of the game they can all play."""
    if found.kind_key != found.table.kind_key:
        quick_tables.play_another(found.table, found.kind_key, now=now)
    quick_tables.sit(found.table, search.user, home=home, now=now)
    search.table = found.table


def move(search: Search, found: Choice, *, now: datetime) -> None:
    """Move a person in line to another table, and save the search; the caller settles both."""
    assert search.table is not None  # noqa: S101
    seat = queries.seat_of(search.table, search.user)
    quick_tables.stand(search.table, [search.user_id], now=now)
    sit(search, found, home=seat.home if seat else "", now=now)
    search.save()


def divide(search: Search, full: Choice, *, home: str, now: datetime) -> bool:
    """Make two tables of a full one and a newcomer, by strength; both begin when it would have.

    Returns False, with nothing changed, if the halves would hardly differ, or if the site has no
    room for another table. The caller saves the newcomer's search and settles the new table.
    """
    companions = strength.half_around(search, full.company, full.kind_key)
    if companions is None or full.table.starts_at is None:
        return False
    with suppress(Refused), transaction.atomic():
        table = quick_tables.open_table(
            search.user, full.kind_key, holder=search.holder, home=home, now=now
        )
        count_down(table, until=full.table.starts_at, now=now)
        for each in companions:
            move(each, Choice(table, [], full.kind_key), now=now)
        search.table = table
        settle(full.table, now=now)
        return True
    return False


def _matched(table: Game, *, now: datetime) -> list[Search]:
    """The searches of the people at this table, in the order of seats; removes unmatched rows."""
    seated = list(table.seat_set.exclude(user=None).values_list("user", flat=True))
    company = {each.user_id: each for each in company_of(table)}
    end([each for key, each in company.items() if key not in seated], State.LEFT, now=now)
    if table.status == Status.OPEN and (lost := set(seated) - company.keys()):
        quick_tables.stand(table, lost, now=now)
        table.refresh_from_db()
    return [company[key] for key in seated if key in company]


def _begin(table: Game, company: Sequence[Search], *, now: datetime) -> None:
    """Start the game; if there is no room for it on the site, restart the countdown."""
    people, sizes = len(company), catalogue.of(table.kind_key).rules.SEATS
    wanted = quick_tables.seats(table.kind_key).start if all(e.bots for e in company) else 0
    numbers = {max(0, wanted - people), max(0, sizes.start - people)}
    for bots in sorted(numbers, reverse=True):
        for holder in dict.fromkeys(each.holder for each in company):
            with suppress(Refused), transaction.atomic():
                quick_tables.begin(table, bots=bots, holder=holder, now=now)
                change(company, State.SEATED, now=now)
                return end_warm_ups([each.user_id for each in company])
    count_down(table, until=now + quick_tables.COUNTDOWN, now=now)


def give_back(
    searches: Sequence[Search], table: Game, state: Search.State, *, now: datetime
) -> None:
    """Free the seats of these people and end their searches with `state`."""
    if searches:
        with suppress(Refused):  # the table has closed meanwhile
            quick_tables.stand(table, [each.user_id for each in searches], now=now)
        end(searches, state, now=now)


def end(searches: Sequence[Search], state: Search.State, *, now: datetime) -> None:
    change(searches, state, now=now)
    inbox.touch(each.user_id for each in searches)


def change(searches: Sequence[Search], state: Search.State, *, now: datetime) -> None:
    for each in searches:
        each.state, each.changed_at = state, now
    Search.objects.bulk_update(searches, ["state", "changed_at", "met", "leaves", "left_at"])


def let_down(search: Search, *, now: datetime) -> None:
    """Count that somebody left others who were about to begin; the caller saves it by `change`."""
    is_recent = search.left_at is not None and search.left_at > now - queue.REMEMBERED
    search.leaves, search.left_at = (search.leaves if is_recent else 0) + 1, now


def _warm_up(search: Search, kind_key: str, *, now: datetime) -> None:
    """Start a warm-up, unless they play one already or the site is full."""
    if queries.pastime(search.user) is None:
        with suppress(Refused):
            quick_tables.begin_warm_up(search.user, kind_key, holder=search.holder, now=now)


def end_warm_ups(users: Iterable[int]) -> None:
    for game in queue.warm_ups(list(users)):
        quick_tables.end_warm_up(game)
