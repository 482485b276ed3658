"""When the next table of a finished game opens and begins, without anybody having to start it.

Whoever asks for a rematch sits down there (`rematches`). It begins when everybody who stayed is
back, or COUNTDOWN after the second has come: with the bots of the game before, and with fewer
people than that. `Game.seats_kept_until` says when the wait is over at the latest. Somebody who is
alone without bots then has an open table like any other.

Whoever changes a table that waits so holds the row of the old game first, then that of the new one.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.models import User
from games.errors import Refused
from games.models import Game, NextSeat, Seat, TableSettings
from games.play import announce, before_start
from games.play.jobs import failing_alone
from games.store import queries

# When two are back, the others have so long to come.
COUNTDOWN: Final = timedelta(seconds=10)
# Somebody alone waits so long for those who still look at the end of the game before; if nobody
# does, no longer than COUNTDOWN.
WAITS_FOR: Final = timedelta(seconds=45)
# Who has had a page in view is there for so long after it last reported that, every 30 s at most. A
# page that is left says so (see `presence`).
THERE_FOR: Final = timedelta(seconds=55)
# Wishes for the next table of a game that nobody opens are given up so long after its end.
WISHED_FOR: Final = timedelta(minutes=10)

logger = logging.getLogger(__name__)
Status = Game.Status


def locked(**which: Any) -> Game:
    """A game that is over, its row held until the end of the transaction."""
    return Game.objects.select_for_update().get(**which)


def next_table(old: Game) -> Game | None:
    """The rematch of a game; None while nobody has opened one, or when it was closed."""
    game = old.rematch
    return None if game is None or game.status == Status.CLOSED else game


def origin_after(old: Game) -> str:
    """That of the game after this one: a warm-up is followed by another."""
    return old.origin if old.origin == Game.Origin.WARM_UP else ""


def open_next(old: Game, host: User, *, holder: str, now: datetime, is_there: bool = True) -> Game:
    """Open the next table, with the settings and the bots of the old one, whose row is held.

    `is_there`: the host goes there now. Refused: what opening a table refuses.
    """
    settings, origin = TableSettings.of(old), origin_after(old)
    game = before_start.open_game(host, settings, holder=holder, origin=origin, now=now)
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
    """Begin when nobody has to be waited for any more; else set until when to wait for them.

    Both rows are held. `may_fail`: a refusal to begin is the caller's; else the table stays open.
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
    """Begin with those who are there; where they are too few, the table is one like any other."""
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
    """Seat those who asked for it while the old game ran: its players first; whether any was.

    Only who has a page in view is seated. Their wishes are kept as long as the table waits, since
    they say that somebody who has not come to it yet is still there.
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
            before_start.sit(game.code, wish.user, now=now)
        except Refused:
            wish.delete()
            continue
        game.seat_set.filter(user=wish.user).update(seen_at=None)  # not at this table yet
        seated.add(wish.user_id)
        came += 1
    return came > 0


def _free_seats_of_those_who_left(old: Game, game: Game, *, now: datetime) -> None:
    """Free the seats that somebody asked for who went away before ever coming to the table."""
    there = _wishes(old, now=now).values("user")
    for seat in game.seat_set.filter(bot="", seen_at=None).exclude(user__in=there):
        assert seat.user is not None  # noqa: S101
        before_start.stand(game.code, seat.user, now=now)


def _wishes(old: Game, *, now: datetime) -> QuerySet[NextSeat]:
    """The wishes of those who have the page of the old game open, in their order."""
    return NextSeat.objects.filter(_is_there(now), game=old).select_related("user")


def _is_there(now: datetime) -> Q:
    return Q(seen_at__gt=now - THERE_FOR)


def _show(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(seq=F("seq") + 1)
    announce.game_changed(game.code, Game.objects.values_list("seq", flat=True).get(pk=game.pk))


def _show_at_the_end(old: Game) -> None:
    """Tell the pages of the old game how it is with the next one."""
    Game.objects.filter(pk=old.pk).update(rematch=old.rematch)
    _show(old)


# --- what time brings -----------------------------------------------------------------------------


def run(*, now: datetime) -> None:
    """Open and begin what is due; every process does so each second.

    What one of them has done the others find done: they hold the row of the old game in turn. Where
    a step fails, the table becomes one like any other, and the games after it go on.
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
    """Nobody is waited for at the next table of this game; somebody there may start it."""
    NextSeat.objects.filter(game=pk).delete()
    game = next_table(Game.objects.select_related("rematch").get(pk=pk))
    if game is not None:
        Game.objects.filter(pk=game.pk).update(seats_kept_until=None)
        _show(game)


def _tend(old: Game, *, now: datetime) -> None:
    """Do what is due at the next table of one game that is over."""
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
    """Open the next table for the first of its players who asked for it while the game ran."""
    if old.status != Status.FINISHED:
        return None
    players = queries.stayed(old).values("user")
    for wish in _wishes(old, now=now).filter(user__in=players):
        with suppress(Refused):
            return open_next(old, wish.user, holder=wish.holder, now=now, is_there=False)
        wish.delete()
    return None
