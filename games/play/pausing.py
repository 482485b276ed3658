"""Pausing: on a full site a game of one person and bots waits, so that somebody else can play.

A paused game goes on as soon as its person looks at it and there is room. Until then the scheduler
looks at it now and then; it is abandoned ten minutes after its person last looked (`abandoned`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, F, Q, QuerySet

from games.models import Game
from games.play import alarm, announce
from games.play.abandoned import UNWATCHED_AT_MOST

# How often it is looked whether there is room, while the person waits for it.
LOOK_EVERY: Final = timedelta(seconds=5)
# The page of who waits reports it with each heartbeat, every 30 s at most (see `presence`).
WAITS_FOR: Final = timedelta(minutes=1)
# A game that nobody has looked at for so long may make room for anybody.
UNWATCHED: Final = timedelta(minutes=2)

Status = Game.Status


def displace(*, holder: str, now: datetime) -> bool:
    """Pause a game of one person and bots so that `holder` can begin one; False: none may be.

    It is the least watched one of the holder with most of them. A game that somebody plays is only
    paused if its holder keeps at least as many as `holder` then has: nobody is paused for somebody
    who has as much. Games that nobody looks at may be paused for those who hold no more.
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
    """Pause the least watched of these games; one that moves in this moment is passed over."""
    least_watched = games.order_by(F("watched_at").asc(nulls_first=True), "pk")
    return any(_pause(game, now=now) for game in least_watched.only("code", "seq")[:3])


def _pause(game: Game, *, now: datetime) -> bool:
    """Pause a game that still stands at its `seq`; its screens are told. False: it has moved on."""
    paused = Game.objects.filter(pk=game.pk, seq=game.seq, status=Status.PLAYING).update(
        paused_at=now,
        seq=game.seq + 1,
        opens_at=None,
        turn_ends_at=None,
        silence_ends_at=None,
        due_at=now + UNWATCHED_AT_MOST,
        bots_due=True,  # to look for room may wait when much is due
    )
    if paused:
        announce.game_changed(game.code, game.seq + 1)
    return bool(paused)


def look(game: Game, *, now: datetime) -> None:
    """Note that the person of a paused game looks at it: the scheduler sees whether there is room.

    It does not touch `seq`. A game that is not paused is left alone.
    """
    waits = Game.objects.filter(pk=game.pk, status=Status.PLAYING, paused_at__isnull=False)
    waits.update(watched_at=now)
    if waits.filter(due_at__gt=now + LOOK_EVERY).update(due_at=now):
        alarm.set_on_commit(game.code, now)


def wait(game: Game, *, now: datetime) -> None:
    """There is no room: look again soon while the person waits, else when the game is abandoned."""
    seen = last_look(game)
    soon = now + LOOK_EVERY if now - seen < WAITS_FOR else seen + UNWATCHED_AT_MOST
    if Game.objects.filter(pk=game.pk, seq=game.seq).update(due_at=soon):
        alarm.set_on_commit(game.code, soon)


def last_look(game: Game) -> datetime:
    """When the person of a paused game last looked at it, or when it was paused."""
    times: Sequence[datetime | None] = (game.paused_at, game.watched_at)
    return max(time for time in times if time is not None)
