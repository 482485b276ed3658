"""What is due, in the order in which the scheduler plays it: people's time before bots' moves.

When more is due than a process can play, bots take longer, and nobody's clock is late. Of bots'
moves each holder of games gets one in turn, so that somebody with many games slows down their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain, zip_longest
from typing import NamedTuple

from games.models import Game

# The most games that a tick plays of those for which people wait, and finds of bots' moves.
PEOPLE_AT_ONCE = 50
BOTS_AT_ONCE = 300

Status = Game.Status


class Due(NamedTuple):
    """The codes of the games that are due, without those that are skipped to their end.

    `codes`: a person's time is up, the longest overdue first. `bots`: a bot moves, the first of
    every holder before the second of any. `is_all`: no other is due.
    """

    codes: Sequence[str]
    some_skipped: bool  # some game that is skipped may be due too
    bots: Sequence[str] = ()
    is_all: bool = True


def due(*, now: datetime) -> Due:
    """Ask the database once; a tick with nothing due asks it nothing else."""
    alive = Game.objects.filter(status__in=(Status.OPEN, Status.PLAYING), due_at__lte=now)
    most = PEOPLE_AT_ONCE + BOTS_AT_ONCE
    first = alive.order_by("skipping", "bots_due", "due_at")
    rows = list(first.values_list("code", "skipping", "bots_due", "holder")[: most + 1])
    codes = [code for code, skipping, bots, _ in rows if not (skipping or bots)]
    moves = [(holder, code) for code, skipping, bots, holder in rows if bots and not skipping]
    return Due(
        codes[:PEOPLE_AT_ONCE],
        some_skipped=len(rows) > most or len(codes) + len(moves) < len(rows),
        bots=in_turn(moves[:BOTS_AT_ONCE]),
        is_all=len(rows) <= most and len(codes) <= PEOPLE_AT_ONCE,
    )


def in_turn(held: Iterable[tuple[str, str]]) -> list[str]:
    """The codes of these (holder, code): the first of each holder, then the second of each, …"""
    by_holder: dict[str, list[str]] = {}
    for holder, code in held:
        by_holder.setdefault(holder, []).append(code)
    rounds = zip_longest(*by_holder.values())
    return [code for code in chain.from_iterable(rounds) if code is not None]


def skipped(*, now: datetime) -> list[str]:
    """The codes of the games that are skipped to their end, the one that waits longest first."""
    due = Game.objects.filter(status=Status.PLAYING, skipping=True, due_at__lte=now)
    return list(due.order_by("due_at").values_list("code", flat=True)[:PEOPLE_AT_ONCE])
