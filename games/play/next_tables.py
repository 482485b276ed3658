"""Automatic opening and start of the next table after a finished game.

A player who asks for a rematch gets a seat there (`rematches`). The game starts when everybody who
stayed is back, or COUNTDOWN after the second person has come: with the bots of the previous game,
and possibly with fewer people. The wait ends at `Game.seats_kept_until` at the latest. A person who
is then alone without bots has an ordinary open table.

To change a waiting table, lock the row of the old game first, then that of the new one.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.models import User
from games.errors import Refused
from games.models import Game, NextSeat, Seat, TableSettings
from games.play import announce, before_start
from games.play.jobs import failing_alone
from games.store import queries

# Once two people are back, the others have this long to come.
COUNTDOWN: Final = timedelta(seconds=10)
# A single person waits this long for people who still look at the end of the previous game, or only
# for COUNTDOWN if nobody does.
WAITS_FOR: Final = timedelta(seconds=45)
# A person counts as present for this long after the last report of a page in view, which comes
# every 30 s at most. A page also reports when it is left (see `presence`).
THERE_FOR: Final = timedelta(seconds=55)
# Requests for a next table that nobody opens expire this long after the end of the game.
WISHED_FOR: Final = timedelta(minutes=10)

logger = logging.getLogger(__name__)
Status = Game.Status


def locked(**which: object) -> Game:
    """Return a finished game with its row locked until the end of the transaction."""
    return Game.objects.select_for_update().get(**which)


def next_table(old: Game) -> Game | None:
    """Return the rematch of a game; None while nobody has opened one, or if it was closed."""
    game = old.rematch
    return None if game is None or game.status == Status.CLOSED else game


def origin_after(old: Game) -> str:
    """Return the origin of the next game: a warm-up is followed by another warm-up."""
    return old.origin if old.origin == Game.Origin.WARM_UP else ""


def open_next(
    old: Game,
    host: User,
    *,
    holder: str,
    home: str = "",
    now: datetime,
    is_there: bool = True,
) -> Game:
    """Open the next table, with the settings and bots of the old game, whose row is locked.

    `is_there`: the host opens its page now. Raises Refused as `before_start.open_game`.
    """
    settings, origin = TableSettings.of(old), origin_after(old)
    game = before_start.open_game(host, settings, holder=holder, home=home, origin=origin, now=now)
    if not is_there:
        game.seat_set.update(seen_at=None)
    bots = old.seat_set.exclude(bot="").values_list("bot", flat=True)
    for number, kind in enumerate(bots, start=1):
        Seat.objects.create(game=game, number=number, bot=kind)
    game.seats_kept_until = now + WAITS_FOR
    game.save(update_fields=["seats_kept_until"])
    old.rematch = game
    _show_at_the_end(old)
    return game


def begin_if_all_are_back(old: Game, game: Game, *, now: datetime, may_fail: bool = False) -> None:
    """Start the game if there is nobody left to wait for; otherwise set the end of the wait.

    The caller has locked both rows. `may_fail`: a refusal to start is raised to the caller;
    otherwise the table stays open.
    """
    game.refresh_from_db()
    people = {seat.user_id for seat in game.seat_set.filter(bot="")}
    missing = queries.stayed(old).exclude(user__in=people).exclude(user__in=game.removed.all())
    waited_for = missing.filter(_is_there(now)).exists()
    alone = len(people) < 2
    until = game.seats_kept_until
    if until is None:
        return
    if now >= until or not (waited_for or (alone and missing.exists())):
        _end_the_wait(old, game, now=now, may_fail=may_fail)
    elif not (alone and waited_for) and until > now + COUNTDOWN:
        Game.objects.filter(pk=game.pk).update(seats_kept_until=now + COUNTDOWN)
        _show(game)
        _show_at_the_end(old)


def _end_the_wait(old: Game, game: Game, *, now: datetime, may_fail: bool) -> None:
    """Start with the people present; if they are too few, it becomes an ordinary open table."""
    Game.objects.filter(pk=game.pk).update(seats_kept_until=None)
    game.seats_kept_until = None
    _seat_those_who_wish(old, game, now=now)
    _free_seats_of_those_who_left(old, game, now=now)
    NextSeat.objects.filter(game=old).delete()
    game.refresh_from_db()
    try:
        if game.status == Status.OPEN:
            before_start.start(game.code, game.host, holder=game.holder, now=now)
    except Refused as refused:
        if may_fail and refused.code != "too_few":
            raise
        _show(game)
    _show_at_the_end(old)


def _seat_those_who_wish(old: Game, game: Game, *, now: datetime) -> bool:
    """Seat people who asked during the old game, its players first; return whether any was seated.

    Only people with a page in view are seated. Requests are kept while the table waits, since they
    show that a person who has not opened the new table yet is still present.
    """
    seated = set(game.seat_set.filter(bot="").values_list("user", flat=True))
    players = set(queries.stayed(old).values_list("user", flat=True))
    wishes = [wish for wish in _wishes(old, now=now) if wish.user_id not in seated]
    came = 0
    for wish in sorted(wishes, key=lambda wish: wish.user_id not in players):
        kept = set() if game.seats_kept_until is None else players - seated
        free = game.size - game.seat_set.count()
        if free <= (0 if wish.user_id in players else len(kept)):
            continue  # a place may still become free
        try:
            before_start.sit(game.code, wish.user, home=wish.home, now=now)
        except Refused:
            wish.delete()
            continue
        game.seat_set.filter(user=wish.user).update(seen_at=None)  # not at this table yet
        seated.add(wish.user_id)
        came += 1
    return came > 0


def _free_seats_of_those_who_left(old: Game, game: Game, *, now: datetime) -> None:
    """Free requested seats of people who went away without opening the new table."""
    there = _wishes(old, now=now).values("user")
    for seat in game.seat_set.filter(bot="", seen_at=None).exclude(user__in=there):
        assert seat.user is not None  # noqa: S101
        before_start.stand(game.code, seat.user, now=now)


def _wishes(old: Game, *, now: datetime) -> QuerySet[NextSeat]:
    """Return the requests of people who have the page of the old game open, in order."""
    return NextSeat.objects.filter(_is_there(now), game=old).select_related("user")


def _is_there(now: datetime) -> Q:
    return Q(seen_at__gt=now - THERE_FOR)


def _show(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(seq=F("seq") + 1)
    announce.game_changed(game.code, Game.objects.values_list("seq", flat=True).get(pk=game.pk))


def _show_at_the_end(old: Game) -> None:
    """Update the next table on the pages of the old game."""
    Game.objects.filter(pk=old.pk).update(rematch=old.rematch)
    _show(old)


# --- what time brings -----------------------------------------------------------------------------


def run(*, now: datetime) -> None:
    """Open and start the next tables that are due; every process runs this each second.

    The lock on the row of the old game serialises the processes, so each step is done once. If a
    step fails, the table becomes an ordinary open table, and the job continues with other games.
    """
    waiting = Game.objects.filter(rematch__status=Status.OPEN)
    waiting = waiting.filter(rematch__seats_kept_until__isnull=False)
    wished = NextSeat.objects.exclude(game__status=Status.PLAYING)
    for pk in {*waiting.values_list("pk", flat=True), *wished.values_list("game", flat=True)}:
        with (
            failing_alone(logger, "next table failed game=%d", pk, otherwise=partial(_give_up, pk)),
            transaction.atomic(),
        ):
            _tend(locked(pk=pk), now=now)


def _give_up(pk: int) -> None:
    """End the wait at the next table of this game, so that a person there may start it."""
    NextSeat.objects.filter(game=pk).delete()
    game = next_table(Game.objects.select_related("rematch").get(pk=pk))
    if game is not None:
        Game.objects.filter(pk=game.pk).update(seats_kept_until=None)
        _show(game)


def _tend(old: Game, *, now: datetime) -> None:
    """Do what is due at the next table of one finished game."""
    wishes = NextSeat.objects.filter(game=old)
    game = next_table(old) or _open_for_the_first(old, now=now)
    if game is None:
        if old.status != Status.FINISHED or now - (old.finished_at or now) >= WISHED_FOR:
            wishes.delete()
    elif game.status != Status.OPEN or game.seats_kept_until is None:
        wishes.delete()
    else:
        if _seat_those_who_wish(old, game, now=now):
            _show_at_the_end(old)
        begin_if_all_are_back(old, game, now=now)


def _open_for_the_first(old: Game, *, now: datetime) -> Game | None:
    """Open the next table for the first player who asked for it during the game."""
    if old.status != Status.FINISHED:
        return None
    players = queries.stayed(old).values("user")
    for wish in _wishes(old, now=now).filter(user__in=players):
        with suppress(Refused):
            return open_next(
                old, wish.user, holder=wish.holder, home=wish.home, now=now, is_there=False
            )
        wish.delete()
    return None
