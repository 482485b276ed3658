"""The actions of people who look for others: press, answer, stop.

All state is in the database, and each action is one serialised transaction (see `lock`), so a crash
in the middle leaves nothing half done. An action that changes a table ends with `settle`.
"""

from __future__ import annotations

from datetime import datetime

from accounts.models import User
from games.contract import catalogue
from games.errors import Refused
from games.lobby.matching import pairing, queue
from games.lobby.matching.lock import one_at_a_time
from games.models import IN_LINE, Game, Search
from games.play import before_start, new_owner, quick_tables
from games.social.inbox import entries as inbox
from games.store import manners

State, Status = Search.State, Game.Status


# --- actions -------------------------------------------------------------------------------------


def press(
    user: User,
    *,
    choice: str = "",
    bots: bool = True,
    holder: str,
    home: str = "",
    device: str = "",
    now: datetime,
) -> Search:
    """Seat a person at the fullest table that waits for people, or open one and start a warm-up.

    Pressing again keeps the place, answers if an answer is awaited, and takes over from another
    device. Refused: `at_a_table` (with the code of the `table`), `unknown_game`,
    `leaves_too_often`, and the limits on tables.
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
            found = queue.best(user, queue.choices(user, choice, now=now, but=before))
            if found is not None or choice not in ("", before.kind_key):
                quick_tables.stand(before, [user.pk], now=now)
                before = None
        if before is None:
            _take_place(search, choice, home=home, now=now)
        elif search.state == State.ASKED:
            search.state = State.READY
        return _settled(search, now=now)


def answer(user: User, *, device: str = "", now: datetime) -> Search:
    """Answer *Start now*: the person is ready. Refused: `not_in_line`."""
    with one_at_a_time():
        search = _in_line(user, device=device, now=now)
        if search.state == State.ASKED:
            search.state = State.READY
        return _settled(search, now=now)


def leave(user: User, *, now: datetime, stop: bool = False) -> None:
    """Leave the line (*Not now*); with `stop`, also end the warm-up. Idempotent."""
    with one_at_a_time():
        search = Search.objects.filter(pk=user.pk).select_related("table", "user").first()
        if search is not None and search.state != State.SEATED:
            if search.state in IN_LINE and search.table is not None:
                if search.table.starts_at is not None:
                    pairing.let_down(search, now=now)
                pairing.give_back([search], search.table, State.LEFT, now=now)
                pairing.settle(search.table, now=now)
            else:
                pairing.end([search], State.LEFT, now=now)
        if stop:
            pairing.end_warm_ups([user.pk])


def hand_over(old: User, new: User) -> None:
    """Move a place in line to another account of the same person, unless that is in line too."""
    with one_at_a_time():
        line = Search.objects.filter(state__in=IN_LINE).select_related("table")
        search = line.filter(pk=old.pk).first()
        if search is None or search.table is None or line.filter(pk=new.pk).exists():
            return
        seats = [each for each in new_owner.live_seats(old) if each.game_id == search.table_id]
        if any(new_owner.stays(seats, new)):
            return
        if before_start.give_seat(search.table.code, old, new):
            Search.objects.filter(pk=new.pk).delete()
            # The next page of theirs that is open takes over the search.
            Search.objects.filter(pk=old.pk).update(user=new, device="")


def dismiss(user: User, *, now: datetime) -> None:
    """Dismiss the notice of a missed table or of a game that has begun. Idempotent."""
    with one_at_a_time():
        over = Search.objects.filter(pk=user.pk, state__in=(State.MISSED, State.SEATED))
        pairing.end(list(over), State.LEFT, now=now)


def take_over(user: User, *, device: str, now: datetime) -> Search:
    """Continue the search on this device. Refused: `not_in_line`."""
    with one_at_a_time():
        search = _in_line(user, device=device, now=now)
        search.save()
        inbox.touch([user.pk])
        return search


def want_bots(user: User, *, bots: bool, now: datetime) -> Search:
    """Set whether bots may fill the empty seats. Refused: `not_in_line`."""
    with one_at_a_time():
        search = _in_line(user, device="", now=now)
        search.bots = bots
        return _settled(search, now=now)


def _settled(search: Search, *, now: datetime) -> Search:
    """Save the search of a person in line, settle its table, and reload the search."""
    search.save()
    assert search.table is not None  # noqa: S101
    pairing.settle(search.table, now=now)
    search.refresh_from_db()
    return search


# --- the parts -----------------------------------------------------------------------------------


def _search_of(user: User, *, now: datetime) -> Search:
    """The person's search, or a new unsaved one. A search whose table is no longer open is LEFT."""
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


def _take_place(search: Search, choice: str, *, home: str, now: datetime) -> None:
    """Take a seat at a waiting table, as ready, or at a new table, as waiting.

    A full table may become two, so that somebody who comes too late for it need not wait.
    Who leaves games often waits alone at first, until the job brings people together.
    """
    user, holder = search.user, search.holder
    search.choice, search.met, search.state = choice, [], State.READY
    is_apart = manners.of(user).leaves_often
    waiting = () if is_apart else queue.choices(user, choice, now=now)
    full = next((each for each in waiting if each.is_full), None)
    if (found := queue.best(user, waiting)) is not None:
        pairing.sit(search, found, home=home, now=now)
    elif full is None or not pairing.divide(search, full, home=home, now=now):
        kind_key = choice or catalogue.default().key
        search.table = quick_tables.open_table(user, kind_key, holder=holder, home=home, now=now)
        search.state = State.WAITING
    search.changed_at = now


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Delete this user's search."""
    Search.objects.filter(pk=person.pk).delete()


def export(person: User) -> dict[str, object]:
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
