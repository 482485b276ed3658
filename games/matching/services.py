"""What people do who look for others: press, answer, stop. Every step ends with `settle`.

All of it lives in rows, and every step is one transaction of which there is one at a time (`lock`):
a process that dies in the middle of one has not begun it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from accounts.models import User
from games import catalogue
from games.errors import Refused
from games.inbox import services as inbox
from games.matching import queue, settling
from games.matching.lock import one_at_a_time
from games.models import IN_LINE, Game, Search
from games.play import quick_tables

State, Status = Search.State, Game.Status


# --- what people do ------------------------------------------------------------------------------


def press(
    user: User,
    *,
    choice: str = "",
    bots: bool = True,
    holder: str,
    device: str = "",
    now: datetime,
) -> Search:
    """Seat somebody at the fullest table that waits for people, or open one and begin a warm-up.

    Pressed again, it keeps the place, answers where an answer is waited for, and takes over what
    another device began. Refused: `at_a_table` (with the code of the `table`), `unknown_game`,
    `leaves_too_often`, limits.
    """
    if choice and choice not in {kind.key for kind in catalogue.every()}:
        raise Refused("unknown_game")
    with one_at_a_time():
        if (game := queue.playing(user)) is not None:
            raise Refused("at_a_table", table=game.code)
        if queue.leaves_too_often(user, holder=holder, now=now):
            raise Refused("leaves_too_often")
        search = _search_of(user, now=now)
        before = search.table if search.state in IN_LINE else None
        search.bots, search.holder, search.device = bots, holder, device
        search.seen_at = now
        if before is not None and search.state == State.WAITING and search.choice != choice:
            search.choice = choice
            found = queue.find(user, choice, now=now, but=before)
            if found is not None or choice not in ("", before.kind_key):
                quick_tables.stand(before, [user.pk], now=now)
                before = None
        if before is None:
            _take_place(search, choice, now=now)
        elif search.state == State.ASKED:
            search.state = State.READY
        return _settled(search, now=now)


def answer(user: User, *, device: str = "", now: datetime) -> Search:
    """*Start now*: the person is there. Refused: `not_in_line`."""
    with one_at_a_time():
        search = _in_line(user, device=device, now=now)
        if search.state == State.ASKED:
            search.state = State.READY
        return _settled(search, now=now)


def leave(user: User, *, now: datetime, stop: bool = False) -> None:
    """Give the place back: *Not now*. To `stop` also ends the warm-up. Idempotent."""
    with one_at_a_time():
        search = Search.objects.filter(pk=user.pk).select_related("table", "user").first()
        if search is not None and search.state != State.SEATED:
            if search.state in IN_LINE and search.table is not None:
                if search.table.starts_at is not None:
                    settling.let_down(search, now=now)
                settling.give_back([search], search.table, State.LEFT, now=now)
                settling.settle(search.table, now=now)
            else:
                settling.end([search], State.LEFT, now=now)
        if stop:
            settling.end_warm_ups([user.pk])


def dismiss(user: User, *, now: datetime) -> None:
    """Take note of what is over: a missed table, a game that has begun. Idempotent."""
    with one_at_a_time():
        over = Search.objects.filter(pk=user.pk, state__in=(State.MISSED, State.SEATED))
        settling.end(list(over), State.LEFT, now=now)


def take_over(user: User, *, device: str, now: datetime) -> Search:
    """Go on looking on this device. Refused: `not_in_line`."""
    with one_at_a_time():
        search = _in_line(user, device=device, now=now)
        search.save()
        inbox.touch([user.pk])
        return search


def want_bots(user: User, *, bots: bool, now: datetime) -> Search:
    """Say whether bots may fill the empty seats. Refused: `not_in_line`."""
    with one_at_a_time():
        search = _in_line(user, device="", now=now)
        search.bots = bots
        return _settled(search, now=now)


def _settled(search: Search, *, now: datetime) -> Search:
    """Save the search of somebody in line, settle its table, and read what came of it."""
    search.save()
    assert search.table is not None  # noqa: S101
    settling.settle(search.table, now=now)
    search.refresh_from_db()
    return search


# --- the parts -----------------------------------------------------------------------------------


def _search_of(user: User, *, now: datetime) -> Search:
    """The person's search, or a new one; how often they left is known for a while."""
    search = Search.objects.filter(pk=user.pk).select_related("table").first()
    if search is None:
        return Search(user=user, state=State.LEFT, changed_at=now, seen_at=now)
    is_lost = search.table is None or search.table.status != Status.OPEN
    if search.state in IN_LINE and is_lost:
        search.state = State.LEFT
    return search


def _in_line(user: User, *, device: str, now: datetime) -> Search:
    search = _search_of(user, now=now)
    if search.state not in IN_LINE:
        raise Refused("not_in_line")
    search.device, search.seen_at = device or search.device, now
    return search


def _take_place(search: Search, choice: str, *, now: datetime) -> None:
    """A seat at the fullest table that waits, as somebody who is there, or at a new one."""
    user, holder = search.user, search.holder
    search.choice, search.met = choice, []
    found = queue.find(user, choice, now=now)
    if found is not None:
        settling.sit(search, *found, now=now)
        search.state = State.READY
    else:
        kind_key = choice or catalogue.default().key
        search.table = quick_tables.open_table(user, kind_key, holder=holder, now=now)
        search.state = State.WAITING
    search.changed_at = now


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Erase what is left of this user's search."""
    Search.objects.filter(pk=person.pk).delete()


def export(person: User) -> dict[str, Any]:
    """The user's search for people, as plain values ready for JSON."""
    search = Search.objects.filter(pk=person.pk).first()
    if search is None:
        return {"search_for_people": None}
    return {
        "search_for_people": {
            "state": search.state,
            "game": search.choice,
            "bots": search.bots,
            "changed": search.changed_at.isoformat(),
            "seen": search.seen_at.isoformat(),
        }
    }
