"""Counting what chance threw in finished games: for each person, and for the whole site.

A game is counted in the transaction that ends it. A job counts games that ended before there was
such a count. Games in progress are never read.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from time import monotonic
from typing import Final

from django.db import transaction

from games.contract import catalogue
from games.core.contract import Fact
from games.models import Game, Seat, SiteTally, Tally
from games.play.jobs import failing_alone
from games.store import event_log

PREFIX: Final = "thrown_"  # of the counters: `thrown_<key of the outcome>`
_AT_ONCE: Final = 20

Thrown = Mapping[int, Mapping[str, int]]

logger = logging.getLogger(__name__)


def of_game(game: Game) -> Thrown:
    """Return the counters of what was thrown in a finished game, by seat number.

    Raises ValueError while it runs.
    """
    part = catalogue.of(game.kind_key).throws
    if part is None:
        return {}
    told = event_log.unsealed_facts(game, kinds=[fact.kind for fact in part.FACTS])
    return counters(game.kind_key, [each.fact for each in told])


def counters(kind_key: str, facts: Iterable[Fact]) -> Thrown:
    """Return the counters of a finished game with these facts, by seat number."""
    part = catalogue.of(kind_key).throws
    by_seat = {} if part is None else part.thrown(facts)
    return {
        seat: {f"{PREFIX}{outcome}": times for outcome, times in thrown.items()}
        for seat, thrown in by_seat.items()
    }


def together(thrown: Thrown) -> Mapping[str, int]:
    """Return the counters of all seats together, those of bots too."""
    found: Counter[str] = Counter()
    for counted in thrown.values():
        found.update(counted)
    return found


# --- games that ended before ----------------------------------------------------------------------


def make_up(now: datetime, share: float) -> bool:
    """Count games that have not been, for about `share` seconds; whether more may wait."""
    until = monotonic() + share
    waiting = Game.objects.filter(finished_at__isnull=False, throws_counted=None)
    games = list(waiting.order_by("pk")[:_AT_ONCE])
    for game in games:

        def set_aside(game: Game = game) -> None:
            _note(game, counted=False)

        with failing_alone(logger, "counting failed game=%s", game.code, otherwise=set_aside):
            count(game)
        if monotonic() >= until:
            return True
    return len(games) == _AT_ONCE


def count(game: Game) -> None:
    """Count a finished game, unless it has been; several processes may try at once."""
    thrown = of_game(game)
    with transaction.atomic():
        if _note(game, counted=True):
            people = Seat.objects.filter(game=game, user__isnull=False)
            Tally.objects.add(
                game.kind_key,
                {seat.user_id: thrown.get(seat.number, {}) for seat in people if seat.user_id},
            )
            SiteTally.objects.add(game.kind_key, together(thrown), part=game.pk)


def _note(game: Game, *, counted: bool) -> bool:
    """Note in the game that it was counted, or cannot be; False if that has been done."""
    mine = Game.objects.filter(pk=game.pk, throws_counted=None)
    return bool(mine.update(throws_counted=counted))
