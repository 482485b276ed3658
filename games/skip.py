"""Skipping to the end: when only bots still play, those who are out may see the ranking at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final

from django.db import OperationalError

from games import log
from games.models import Game, Seat
from games.newest import Newest
from games.rules import rules_of

# A player who is out counts as watching for this long after the page last signed. An open page
# signs with each heartbeat, every 30 s at most.
WATCHING_FOR: Final = timedelta(minutes=1)
SIGNED_EVERY: Final = timedelta(seconds=20)

# When this process last signed for a seat, in seconds of time.monotonic.
_signed: Newest[None] = Newest(most=2_000)


def only_bots_play(game: Game, seats: Sequence[Seat], state: Any) -> bool:
    """Whether every person is out of the game or has left it."""
    inside = (seats[number] for number in rules_of(game.rules).in_play(state))
    return all(seat.bot or seat.gone for seat in inside)


def voters(game: Game, seats: Iterable[Seat], state: Any) -> list[Seat]:
    """The people who are out and have not left; none while a person still plays."""
    seats = list(seats)
    if not only_bots_play(game, seats, state):
        return []
    inside = rules_of(game.rules).in_play(state)
    return [seat for seat in seats if not (seat.bot or seat.gone or seat.number in inside)]


def is_agreed(game: Game, seats: Sequence[Seat], state: Any, *, now: datetime) -> bool:
    """Whether everybody who is out and still watches wants to skip, and at least one person does.

    Those who have left the page, a minute ago at least, are not waited for.
    """
    if not any(seat.skips for seat in seats):
        return False
    waited_for = [seat.pk for seat in voters(game, seats, state) if not seat.skips]
    # Signing does not count as a change of the seat, so what this process remembers may be old.
    watching = Seat.objects.filter(pk__in=waited_for, seen_at__gt=now - WATCHING_FOR)
    return only_bots_play(game, seats, state) and not watching.exists()


def sign(game: Game, number: int | None, *, now: datetime) -> None:
    """Note that the person at this seat has the page open, if that person is out of the game.

    Written at most every `SIGNED_EVERY`: not for every move of the bots.
    """
    if number is None or game.status != Game.Status.PLAYING:
        return
    if number in rules_of(game.rules).in_play(log.public_state(game)):
        return
    last, _ = _signed.get((game.code, number)) or (0.0, None)
    if last and monotonic() - last < SIGNED_EVERY.total_seconds():
        return
    try:
        Seat.objects.filter(game=game, number=number).update(seen_at=now)
    except OperationalError:  # no reason to close a page: the next look signs
        return
    _signed.keep((game.code, number), monotonic(), None)
