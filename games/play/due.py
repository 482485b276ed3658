"""What is due, and how it is played: people's time before bots' moves, and then what is skipped.

When more is due than a process can play, bots take longer, and nobody's clock is late. Of bots'
moves each holder of games gets one in turn, so that somebody with many games slows down their own.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain, count, zip_longest
from typing import NamedTuple

from django.db import InterfaceError, OperationalError
from django.db.models import QuerySet

from games import metrics
from games.errors import Refused
from games.models import Game
from games.play import alarm, before_start, close_by_staff, commands, deadlines
from games.play.clock import Clock, Downtime
from games.play.housekeeping import SET_ASIDE
from games.play.shards import ALONE, Shards, Share

# The most games that a tick plays of those for which people wait, and finds of bots' moves.
PEOPLE_AT_ONCE = 50
BOTS_AT_ONCE = 300
# A game in which everything has failed for so long is closed: nobody can play it any more.
_BROKEN_AT_MOST = timedelta(days=1)
# How many rows are read at a time where those of other processes are among them.
_PAGE = 1000
# What was found due is looked up again after this.
_FRESH = timedelta(seconds=0.5)
_SET_ASIDE_WITHOUT_DATABASE = timedelta(seconds=2)

Status = Game.Status
logger = logging.getLogger(__name__)


class Due(NamedTuple):
    """The codes of the games that are due, without those that are skipped to their end.

    `codes`: a person's time is up, the longest overdue first. `bots`: a bot moves, the first of
    every holder before the second of any. `is_all`: no other is due.
    """

    codes: Sequence[str]
    some_skipped: bool  # some game that is skipped may be due too
    bots: Sequence[str] = ()
    is_all: bool = True


def find(*, now: datetime, share: Share | None = None) -> Due:
    """Ask the database once; a tick with nothing due asks it nothing else.

    `share`: what this process plays; None: everything.
    """
    alive = Game.objects.filter(status__in=(Status.OPEN, Status.PLAYING), due_at__lte=now)
    most = PEOPLE_AT_ONCE + BOTS_AT_ONCE
    first = alive.order_by("skipping", "bots_due", "due_at", "pk")
    rows = _of_share(first, most + 1, share)
    if share is not None and len(rows) <= most:  # all of them
        _forget_all_but(rows, share)
    codes = [row.code for row in rows if not (row.skipping or row.bots_due)]
    moves = [(row.holder, row.code) for row in rows if row.bots_due and not row.skipping]
    return Due(
        codes[:PEOPLE_AT_ONCE],
        some_skipped=len(rows) > most or len(codes) + len(moves) < len(rows),
        bots=in_turn(moves[:BOTS_AT_ONCE]),
        is_all=len(rows) <= most and len(codes) <= PEOPLE_AT_ONCE,
    )


class _Row(NamedTuple):
    code: str
    due_at: datetime
    skipping: bool
    bots_due: bool
    holder: str


def _of_share(games: QuerySet[Game], most: int, share: Share | None) -> list[_Row]:
    """The first `most` of these games that this process plays.

    Those of other processes may be in front of its own, so it reads on until it has enough.
    """
    rows = games.values_list(*_Row._fields)
    if share is None:
        return [_Row(*row) for row in rows[:most]]
    chosen, found = rows.filter(share.filter()), list[_Row]()
    for start in count(0, _PAGE):
        page = [_Row(*row) for row in chosen[start : start + _PAGE]]
        found += [row for row in page if share.has(row.code, row.due_at)]
        if len(page) < _PAGE or len(found) >= most:
            break
    return found[:most]


def _forget_all_but(rows: Iterable[_Row], share: Share) -> None:
    """Forget the deadlines of this process of which no game is due: it has moved on, or is over."""
    due = {row.code: row.due_at for row in rows}
    alarm.forget({code: at for code, at in share.deadlines.items() if due.get(code) != at})


def in_turn(held: Iterable[tuple[str, str]]) -> list[str]:
    """The codes of these (holder, code): the first of each holder, then the second of each, …"""
    by_holder: dict[str, list[str]] = {}
    for holder, code in held:
        by_holder.setdefault(holder, []).append(code)
    rounds = zip_longest(*by_holder.values())
    return [code for code in chain.from_iterable(rounds) if code is not None]


def skipped(*, now: datetime, share: Share | None = None) -> list[str]:
    """The codes of the games that are skipped to their end, the one that waits longest first."""
    due = Game.objects.filter(status=Status.PLAYING, skipping=True, due_at__lte=now)
    rows = _of_share(due.order_by("due_at", "pk"), PEOPLE_AT_ONCE, share)
    return [row.code for row in rows]


class DueGames:
    """Plays what is due in this process: its methods are jobs, in this order, a game a step."""

    def __init__(self, clock: Clock, shards: Shards = ALONE) -> None:
        self._clock, self._shards = clock, shards
        self._found_at = clock.now()
        self._people: deque[str] = deque()
        self._bots: deque[str] = deque()
        self._skipped: deque[str] = deque()
        self._more_people = self._some_skipped = False

    def people(self, now: datetime, share: float) -> bool:
        """End what people had time for; where nothing is due, to look for it is the only step."""
        if not self._people or abs(now - self._found_at) > _FRESH:
            found, self._found_at = find(now=now, share=self._shards.share(now=now)), now
            self._people, self._bots = deque(found.codes), deque(found.bots)
            self._more_people = len(found.codes) == PEOPLE_AT_ONCE
            self._some_skipped = found.some_skipped
            return bool(self._people)
        return self._play(self._people, now) or self._more_people

    def bots(self, now: datetime, share: float) -> bool:
        """Make the moves of bots, of every holder in turn."""
        return self._play(self._bots, now)

    def skipped(self, now: datetime, share: float) -> bool:
        """Play games that are skipped to their end, a move of each in turn."""
        if self._some_skipped and not self._skipped:
            self._skipped = deque(skipped(now=now, share=self._shards.share(now=now)))
            self._some_skipped = bool(self._skipped)
        self._play(self._skipped, now)
        return self._some_skipped

    def _play(self, codes: deque[str], now: datetime) -> bool:
        if codes:
            run_due(codes.popleft(), now=now, downtime=self._clock.downtime)
        return bool(codes)


def run_due(code: str, *, now: datetime, downtime: Downtime | None = None) -> None:
    """Play what is due in one game; when that fails, set the game aside and log why.

    A move that was under way when the site went down carries the time from before. If its deadline
    for people passed before the `downtime` ended, they get back what was lost.
    """
    game: Game | None = None
    try:
        game = Game.objects.get(code=code)
        if game.due_at is None or game.due_at > now:  # another process was faster
            metrics.games_run.labels("not due").inc()
            return
        lag = metrics.bot_lag if game.bots_due else metrics.clock_lag
        lag.observe((now - game.due_at).total_seconds())
        played = True
        if downtime and game.due_at <= downtime.ended:
            commands.give_back(code, lost=downtime.lost, now=now)
            game = None
            commands.play_due(code, now=now)  # where a bot moves, it is still due
        elif game.status == Status.OPEN:
            before_start.close_abandoned(code, now=now)
        else:
            played = commands.play_due(code, now=now, row=game)
        metrics.games_run.labels("done" if played else "beaten").inc()
    except Refused:  # others were faster, time and again: the game goes on without the scheduler
        metrics.games_run.labels("beaten").inc()
    except (OperationalError, InterfaceError) as error:  # no fault of this game's
        metrics.games_run.labels("set aside").inc()
        commands.set_aside(code, now=now, until=now + _SET_ASIDE_WITHOUT_DATABASE)
        logger.warning(
            "game set aside: database unavailable game=%s error=%s", code, _first_line(error)
        )
    except Exception:
        metrics.games_run.labels("set aside").inc()
        commands.set_aside(code, now=now, until=now + SET_ASIDE)
        logger.exception("game set aside game=%s", code)
        if game and _is_broken(game, now=now) and close_by_staff.close(code):
            logger.error("broken game closed game=%s", code)


def _is_broken(game: Game, *, now: datetime) -> bool:
    """Whether a game that has just failed has done so for long: no step has set another end."""
    ends = deadlines.end_of_wait(game)
    return ends is not None and now - ends >= _BROKEN_AT_MOST


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
