"""Inbox entries for players who are on turn, or whose game began, without the table in view.

A game is checked when it has stood still for some seconds: by then most people have moved, and
players who have the table in view need no entry. So a move writes nothing here, and a game that
is played briskly costs nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from games.contract import catalogue
from games.models import Game, InboxEntry
from games.play import open_pages, recent_moves
from games.social.inbox import entries
from games.social.inbox.kinds import STARTED, TURN
from games.store import event_log, row_cache

# A player who has been on turn for this long, without the table in view, gets an entry.
STILL_SECONDS: Final = 3.0
# Players without the table in view get an entry about a game that began within this time.
JUST_BEGUN: Final = timedelta(minutes=1)
_AT_ONCE: Final = 20


def run(now: datetime, share: float) -> bool:
    """Check the games that this process has changed and that have stood still since: a job.

    Works for about `share` seconds, and returns whether more games are left.
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
    """Put entries into the inboxes of those whom these games wait for, and withdraw outdated ones.

    The entry of a later turn replaces the one before, and is unread again.
    """
    told: dict[str, dict[int, int]] = defaultdict(dict)  # the turn's number by game and person
    began: dict[str, set[int]] = defaultdict(set)
    for entry in InboxEntry.objects.filter(kind__in=(TURN, STARTED), about__in=codes):
        if entry.kind == STARTED:
            began[entry.about].add(entry.user_id)
        else:
            told[entry.about][entry.user_id] = entry.values.get("turn", -1)
    for code, seq in Game.objects.filter(code__in=codes).values_list("code", "seq"):
        game = row_cache.game_at(code, seq)
        waits_for = _missing(game, now=now)
        entries.withdraw(TURN, code, users=told[code].keys() - {waits_for})
        if waits_for is not None and told[code].get(waits_for) != game.turn_seq:
            values = {"turn": game.turn_seq}
            entries.put(waits_for, TURN, code, values=values, now=now, until=game.turn_ends_at)
        if game.status != Game.Status.PLAYING:
            entries.withdraw(STARTED, code, users=began[code])
        elif game.started_at is not None and now - game.started_at < JUST_BEGUN:
            for user_id in _away(game, now=now) - began[code] - {waits_for}:
                entries.put(user_id, STARTED, code, now=now)


def seen(code: str, user_id: int) -> None:
    """Withdraw a person's entries about a table that they see now."""
    if InboxEntry.objects.filter(user=user_id, about=code, kind__in=(TURN, STARTED)).exists():
        for kind in (TURN, STARTED):
            entries.withdraw(kind, code, users=[user_id])


def _missing(game: Game, *, now: datetime) -> int | None:
    """The id of the person on turn if they don't have the table in view; None otherwise."""
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
    """The ids of the people at this table who don't have it in view.

    Empty if only one person plays: they have started the game themselves.
    """
    seats = [seat for seat in row_cache.seats(game) if not seat.held]
    people = {seat.user_id for seat in seats if seat.user_id is not None}
    if len(people) < 2:
        return set()
    return {each for each in people if not _sees(game, each, now=now)}


def _sees(game: Game, user_id: int, *, now: datetime) -> bool:
    if open_pages.is_in_view(game.code, user_id):
        return True
    return open_pages.is_elsewhere_in_view(game.code, user_id, now=now)
