"""Tells people that a game waits for them whose page they do not see.

A game is looked at when it stands still: by then most people have moved, and who has the table in
view needs no entry. So a move writes nothing here, and a game that flows costs nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from games import catalogue
from games.inbox import services
from games.inbox.kinds import STARTED, TURN
from games.models import Game, InboxEntry
from games.play import open_pages, recent_moves
from games.store import event_log, row_cache

# A person who is on turn for so long, and does not see the table, is told.
STILL_SECONDS: Final = 3.0
# Of a game that has begun so lately, those who do not see it are told.
JUST_BEGUN: Final = timedelta(minutes=1)
_AT_ONCE: Final = 20


def run(now: datetime, share: float) -> bool:
    """Look at the games that this process has changed and that stand still since: a job.

    It works for about `share` seconds, and returns whether more is to be done.
    """
    until = monotonic() + share
    codes = recent_moves.take(still=STILL_SECONDS)
    for place in range(0, len(codes), _AT_ONCE):
        if place and monotonic() >= until:
            for code in codes[place:]:
                recent_moves.put_back(code)
            return True
        settle(codes[place : place + _AT_ONCE], now=now)
    return False


def settle(codes: Collection[str], *, now: datetime) -> None:
    """Put what these games wait for into an inbox, and take out what they wait for no longer.

    A later turn takes the place of the one before, and is unread again.
    """
    told: dict[str, dict[int, int]] = defaultdict(dict)  # by game and person the turn's number
    began: dict[str, set[int]] = defaultdict(set)
    for entry in InboxEntry.objects.filter(kind__in=(TURN, STARTED), about__in=codes):
        if entry.kind == STARTED:
            began[entry.about].add(entry.user_id)
        else:
            told[entry.about][entry.user_id] = entry.values.get("turn", -1)
    for code, seq in Game.objects.filter(code__in=codes).values_list("code", "seq"):
        game = row_cache.game_at(code, seq)
        waits_for = _missing(game, now=now)
        services.withdraw(TURN, code, users=told[code].keys() - {waits_for})
        if waits_for is not None and told[code].get(waits_for) != game.turn_seq:
            values = {"turn": game.turn_seq}
            services.put(waits_for, TURN, code, values=values, now=now, until=game.turn_ends_at)
        if game.status != Game.Status.PLAYING:
            services.withdraw(STARTED, code, users=began[code])
        elif game.started_at is not None and now - game.started_at < JUST_BEGUN:
            for user_id in _away(game, now=now) - began[code] - {waits_for}:
                services.put(user_id, STARTED, code, now=now)


def seen(code: str, user_id: int) -> None:
    """Take back what somebody was told about the table that they see now."""
    if InboxEntry.objects.filter(user=user_id, about=code, kind__in=(TURN, STARTED)).exists():
        for kind in (TURN, STARTED):
            services.withdraw(kind, code, users=[user_id])


def _missing(game: Game, *, now: datetime) -> int | None:
    """The id of the person on turn who does not see the table; None: nobody, or a bot."""
    if game.status != Game.Status.PLAYING or game.skipping or game.paused_at is not None:
        return None
    if game.origin == Game.Origin.WARM_UP:  # it waits as long as its person likes
        return None
    waiting = catalogue.of(game.kind_key).rules.waiting(event_log.public_state(game))
    if waiting is None or waiting.kind != "turn" or waiting.on_turn is None:
        return None
    seat = row_cache.seats(game)[waiting.on_turn]
    if seat.held or seat.user_id is None or _sees(game, seat.user_id, now=now):
        return None
    return seat.user_id


def _away(game: Game, *, now: datetime) -> set[int]:
    """The ids of the people at this table who do not see it; who plays alone has begun it."""
    seats = [seat for seat in row_cache.seats(game) if not seat.held]
    people = {seat.user_id for seat in seats if seat.user_id is not None}
    if len(people) < 2:
        return set()
    return {each for each in people if not _sees(game, each, now=now)}


def _sees(game: Game, user_id: int, *, now: datetime) -> bool:
    if open_pages.is_in_view(game.code, user_id):
        return True
    return open_pages.is_elsewhere_in_view(game.code, user_id, now=now)
