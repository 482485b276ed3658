"""Pausing of games of one person and bots on a full site, so that others can play.

A paused game resumes as soon as its person looks at it and there is room. Until then the scheduler
checks it from time to time. Ten minutes after the person last looked, it counts as abandoned
(`abandoned`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, F, Q, QuerySet

from games.models import Game
from games.play import alarm, announce
from games.play.abandoned import UNWATCHED_AT_MOST

# How often to check for room while the person waits.
LOOK_EVERY: Final = timedelta(seconds=5)
# A person counts as waiting for this long after the last heartbeat of the page, which comes every
# 30 s at most (see `presence`).
WAITS_FOR: Final = timedelta(minutes=1)
# A game that nobody has looked at for this long may make room for anybody.
UNWATCHED: Final = timedelta(minutes=2)

Status = Game.Status


def displace(*, holder: str, now: datetime) -> bool:
    """Pause a game of one person and bots so that `holder` can start one; False if none may be.

    First choice is the least watched game of the holders with the most such games, provided that
    they keep at least as many as `holder` will have, so that nobody is paused for an equal. Second
    choice is an unwatched game of a holder with at least as many as `holder` has now.
    """
    running = Game.objects.filter(status=Status.PLAYING, solo=True, paused_at=None)
    counted = running.values("holder").annotate(games=Count("pk")).order_by()
    held = dict(counted.values_list("holder", "games"))
    mine = held.pop(holder, 0)
    most = max(held.values(), default=0)
    greedy = [other for other, games in held.items() if games == most >= mine + 2]
    if _pause_first(running.filter(holder__in=greedy), now=now):
        return True
    others = [other for other, games in held.items() if games >= mine]
    unwatched = Q(watched_at=None) | Q(watched_at__lte=now - UNWATCHED)
    return _pause_first(running.filter(unwatched, holder__in=others), now=now)


def _pause_first(games: QuerySet[Game], *, now: datetime) -> bool:
    """Pause the least watched of these games, skipping games that change at this moment."""
    least_watched = games.order_by(F("watched_at").asc(nulls_first=True), "pk")
    return any(_pause(game, now=now) for game in least_watched.only("code", "seq")[:3])


def _pause(game: Game, *, now: datetime) -> bool:
    """Pause a game and announce it to its screens; False if it has moved on from its `seq`."""
    paused = Game.objects.filter(pk=game.pk, seq=game.seq, status=Status.PLAYING).update(
        paused_at=now,
        seq=game.seq + 1,
        opens_at=None,
        turn_ends_at=None,
        silence_ends_at=None,
        due_at=now + UNWATCHED_AT_MOST,
        bots_due=True,  # checking for room may wait under load
    )
    if paused:
        announce.game_changed(game.code, game.seq + 1)
    return bool(paused)


def look(game: Game, *, now: datetime) -> None:
    """Record that the person of a paused game looks at it, so that the scheduler checks for room.

    This does not change `seq`. It does nothing if the game is not paused.
    """
    waits = Game.objects.filter(pk=game.pk, status=Status.PLAYING, paused_at__isnull=False)
    waits.update(watched_at=now)
    if waits.filter(due_at__gt=now + LOOK_EVERY).update(due_at=now):
        alarm.set_on_commit(game.code, now)


def wait(game: Game, *, now: datetime) -> None:
    """Schedule the next check for room: soon if the person waits, else when it is abandoned."""
    seen = last_look(game)
    soon = now + LOOK_EVERY if now - seen < WAITS_FOR else seen + UNWATCHED_AT_MOST
    if Game.objects.filter(pk=game.pk, seq=game.seq).update(due_at=soon):
        alarm.set_on_commit(game.code, soon)


def last_look(game: Game) -> datetime:
    """Return when the person of a paused game last looked at it, or when it was paused."""
    times: Sequence[datetime | None] = (game.paused_at, game.watched_at)
    return max(time for time in times if time is not None)
