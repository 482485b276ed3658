"""Jobs of matching: end countdowns, drop people who are gone, and clean up."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db.models import Q

from games.errors import Refused
from games.lobby.matching import queue
from games.lobby.matching.lock import one_at_a_time
from games.lobby.matching.pairing import (
    company_of,
    count_down,
    end,
    give_back,
    let_down,
    move,
    settle,
)
from games.models import IN_LINE, Game, Search
from games.play import quick_tables
from games.play.abandoned import UNWATCHED_AT_MOST
from games.play.housekeeping import SET_ASIDE
from games.play.jobs import failing_alone
from games.social.inbox import entries as inbox

# A person without an open page for this long counts as gone, so that nobody waits for them.
GONE_AFTER: Final = timedelta(minutes=3)
# A countdown that is overdue by more than this ended during a downtime: people are asked again.
LATE: Final = timedelta(seconds=5)
# This long before a table would close by itself, it is kept open if somebody still waits there.
_SOON: Final = timedelta(minutes=2)
_AT_ONCE: Final = 50

logger = logging.getLogger(__name__)
State, Status, Origin = Search.State, Game.Status, Game.Origin


def end_countdowns(now: datetime, share: float) -> bool:
    """End the countdowns that are over: a job. Returns whether more are left."""
    over = Game.objects.filter(origin=Origin.QUICK, status=Status.OPEN, starts_at__lte=now)
    due = list(over.order_by("starts_at").values_list("pk", flat=True)[:_AT_ONCE])
    for pk in due:
        later = partial(_count_down_later, pk, now=now)
        with failing_alone(logger, "countdown failed game=%d", pk, otherwise=later):
            end_countdown(pk, now=now)
    return len(due) == _AT_ONCE


def tidy(*, now: datetime) -> None:
    """Repair and clean up what no user action does: a job, idempotent."""
    for pk in _gone(now=now):
        with failing_alone(logger, "drop failed search=%d", pk):
            drop(pk, now=now)
    waiting = Search.objects.filter(state=State.WAITING).order_by("changed_at")
    alone = list(waiting.values_list("pk", flat=True)[:_AT_ONCE])
    if len(alone) > 1:
        # The first one keeps the table; the others are moved there if they fit.
        for pk in alone[1:]:
            with failing_alone(logger, "bring_together failed search=%d", pk):
                bring_together(pk, now=now)
    open_tables = Game.objects.filter(origin=Origin.QUICK, status=Status.OPEN)
    for table in open_tables.filter(due_at__lt=now + _SOON)[:_AT_ONCE]:
        if Search.objects.filter(table=table, state__in=IN_LINE).exists():
            quick_tables.keep_open(table, now=now)
    _end_lonely_warm_ups(now=now)
    forgotten = Q(state__in=(State.LEFT, State.MISSED), changed_at__lt=now - queue.REMEMBERED)
    is_over = Q(state=State.SEATED) & ~Q(table__status=Status.PLAYING)
    Search.objects.filter(forgotten | is_over).filter(
        Q(left_at=None) | Q(left_at__lt=now - queue.REMEMBERED)
    ).delete()


def _count_down_later(pk: int, *, now: datetime) -> None:
    with suppress(Refused):
        quick_tables.count_down(Game.objects.get(pk=pk), until=now + SET_ASIDE, now=now)


def end_countdown(pk: int, *, now: datetime) -> None:
    """Start the game at a table whose countdown is over, without those who did not answer."""
    with one_at_a_time():
        table = Game.objects.filter(pk=pk, status=Status.OPEN, starts_at__lte=now).first()
        if table is None or table.starts_at is None:
            return
        if now - table.starts_at > LATE:
            count_down(table, until=now + quick_tables.COUNTDOWN, now=now)
            return inbox.touch(company_of(table).values_list("pk", flat=True))
        company = list(company_of(table))
        silent = [each for each in company if each.state == State.ASKED]
        here = [each.user_id for each in company if each.state != State.ASKED]
        for each in silent:
            each.met = here
            let_down(each, now=now)
        give_back(silent, table, State.MISSED, now=now)
        settle(table, now=now)


def drop(pk: int, *, now: datetime) -> None:
    """Take a waiting person who has no open page any more out of the line."""
    with one_at_a_time():
        search = Search.objects.filter(pk=pk, state=State.WAITING).select_related("table").first()
        if search is not None:
            if search.table is None:
                return end([search], State.LEFT, now=now)
            give_back([search], search.table, State.LEFT, now=now)
            settle(search.table, now=now)


def bring_together(pk: int, *, now: datetime) -> bool:
    """Move a person who waits alone to a table where others wait; returns whether there was one.

    Both have been waiting for a while, so both are asked.
    """
    with one_at_a_time():
        search = Search.objects.filter(pk=pk, state=State.WAITING).select_related("table").first()
        if search is None or search.table is None:
            return False
        waiting = queue.choices(search.user, search.choice, now=now, but=search.table)
        found = queue.best(search.user, waiting)
        if found is None:
            return False
        search.state = State.ASKED
        move(search, found, now=now)
        settle(found.table, now=now)
    return True


def _gone(*, now: datetime) -> list[int]:
    """The ids of waiting people not seen lately, neither on any page nor in their warm-up."""
    long_ago = now - GONE_AFTER
    unseen = Search.objects.filter(state=State.WAITING, seen_at__lt=long_ago)
    warm_ups = Game.objects.filter(
        origin=Origin.WARM_UP, status=Status.PLAYING, watched_at__gte=long_ago
    )
    watching = warm_ups.values("seat__user")
    there = set(watching.filter(seat__user__isnull=False).values_list("seat__user", flat=True))
    return [pk for pk in unseen.values_list("pk", flat=True)[:_AT_ONCE] if pk not in there]


def _end_lonely_warm_ups(*, now: datetime) -> None:
    """End warm-ups that nobody has watched for long and whose player is not in line."""
    unwatched = Game.objects.filter(
        Q(watched_at=None) | Q(watched_at__lt=now - UNWATCHED_AT_MOST),
        origin=Origin.WARM_UP,
        status=Status.PLAYING,
    )
    in_line = Search.objects.filter(state__in=IN_LINE).values("pk")
    for game in unwatched.exclude(seat__user__in=in_line)[:_AT_ONCE]:
        quick_tables.end_warm_up(game)
