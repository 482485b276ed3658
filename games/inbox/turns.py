"""Tells people that a game waits for them whose page they do not see.

A game is looked at when it stands still: by then most people have moved, and who has the table in
view needs no entry. So a move writes nothing here, and a game that flows costs nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from time import monotonic
from typing import Final

from games import catalogue
from games.inbox import services
from games.inbox.kinds import TURN
from games.models import Game, InboxEntry
from games.play import open_pages, recent_moves
from games.store import event_log, row_cache

# A person who is on turn for so long, and does not see the table, is told.
STILL_SECONDS: Final = 3.0
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
    for entry in InboxEntry.objects.filter(kind=TURN, about__in=codes):
        told[entry.about][entry.user_id] = entry.values.get("turn", -1)
    for code, seq in Game.objects.filter(code__in=codes).values_list("code", "seq"):
        game = row_cache.game_at(code, seq)
        waits_for = _missing(game, now=now)
        services.withdraw(TURN, code, users=told[code].keys() - {waits_for})
        if waits_for is not None and told[code].get(waits_for) != game.turn_seq:
            services.put(waits_for, TURN, code, values={"turn": game.turn_seq}, now=now)


def seen(code: str, user_id: int) -> None:
    """Take back what somebody was told about the table that they see now."""
    services.withdraw(TURN, code, users=[user_id])


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
    if seat.held or seat.user_id is None or open_pages.is_in_view(game.code, seat.user_id):
        return None
    if open_pages.is_elsewhere_in_view(game.code, seat.user_id, now=now):
        return None
    return seat.user_id
