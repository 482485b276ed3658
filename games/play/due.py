"""Finding and playing due games: people's deadlines first, then bots' moves, then skipped games.

Under overload, bots become slower while people's deadlines stay on time. Bots' moves are taken from
each holder in turn, so that a holder of many games slows down only their own.
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
from games.play import alarm, before_start, close_by_staff, commands, first_deal
from games.play.clock import Clock, Downtime
from games.play.housekeeping import SET_ASIDE
from games.play.shards import ALONE, Shards, Share

# The most games with a person's deadline, and with a bot's move, that one query takes up.
PEOPLE_AT_ONCE = 50
BOTS_AT_ONCE = 300
# A game whose every step has failed for this long is closed, since nobody can play it any more.
# Until then, the wait before a retry is as long as it has been failing, up to a few hours.
_BROKEN_AT_MOST = timedelta(days=1)
_LONGEST_ASIDE = timedelta(hours=6)
# How many rows are read at a time if they include those of other processes.
_PAGE = 1000
# A list of due games is used for this long, then queried again.
_FRESH = timedelta(seconds=0.5)
_SET_ASIDE_WITHOUT_DATABASE = timedelta(seconds=2)

Status = Game.Status
logger = logging.getLogger(__name__)


class Due(NamedTuple):
    """Codes of the games that are due, without those that are skipped to their end.

    `codes`: games in which a person's time is up, the longest overdue first. `bots`: games in which
    a bot moves, taken from each holder in turn. `is_all`: no other game is due.
    """

    codes: Sequence[str]
    some_skipped: bool  # a skipped game may be due too
    bots: Sequence[str] = ()
    is_all: bool = True


def find(*, now: datetime, share: Share | None = None) -> Due:
    """Query the due games; a tick with nothing due makes no other query.

    `share`: the games this process plays; None: all of them.
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
    """Return the first `most` of these games that belong to this process.

    Games of other processes may come first, so it reads page by page until it has enough.
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
    """Forget deadlines of this process that match no due game, which has moved on or is over."""
    due = {row.code: row.due_at for row in rows}
    alarm.forget({code: at for code, at in share.deadlines.items() if due.get(code) != at})


def in_turn(held: Iterable[tuple[str, str]]) -> list[str]:
    """Interleave (holder, code) pairs: the first code of each holder, then the second of each, …"""
    by_holder: dict[str, list[str]] = {}
    for holder, code in held:
        by_holder.setdefault(holder, []).append(code)
    rounds = zip_longest(*by_holder.values())
    return [code for code in chain.from_iterable(rounds) if code is not None]


def skipped(*, now: datetime, share: Share | None = None) -> list[str]:
    """Return the codes of due games that are skipped to their end, the longest waiting first."""
    due = Game.objects.filter(status=Status.PLAYING, skipping=True, due_at__lte=now)
    rows = _of_share(due.order_by("due_at", "pk"), PEOPLE_AT_ONCE, share)
    return [row.code for row in rows]


class DueGames:
    """The due games of this process; each method is a job, in this order, with a game per step."""

    def __init__(self, clock: Clock, shards: Shards = ALONE) -> None:
        self._clock, self._shards = clock, shards
        self._found_at = clock.now()
        self._people: deque[str] = deque()
        self._bots: deque[str] = deque()
        self._skipped: deque[str] = deque()
        self._more_people = self._some_skipped = False

    def people(self, now: datetime, share: float) -> bool:
        """Play one game in which a person's time is up; if none is known, only query for them."""
        if not self._people or abs(now - self._found_at) > _FRESH:
            found, self._found_at = find(now=now, share=self._shards.share(now=now)), now
            self._people, self._bots = deque(found.codes), deque(found.bots)
            self._more_people = len(found.codes) == PEOPLE_AT_ONCE
            self._some_skipped = found.some_skipped
            return bool(self._people)
        return self._play(self._people, now) or self._more_people

    def bots(self, now: datetime, share: float) -> bool:
        """Make one bot's move, taking the holders in turn."""
        return self._play(self._bots, now)

    def skipped(self, now: datetime, share: float) -> bool:
        """Play one move of a game that is skipped to its end, taking these games in turn."""
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
    """Play what is due in one game; on an error, postpone the game and log the error.

    A move in progress when the site went down sets deadlines by the time before the outage. If such
    a deadline of people passed before the `downtime` ended, they get the lost time back.
    """
    failing_since: datetime | None = None
    try:
        game = Game.objects.get(code=code)
        failing_since = game.failing_since
        if game.due_at is None or game.due_at > now:  # another process was faster
            metrics.games_run.labels("not due").inc()
            return
        late = (now - game.due_at).total_seconds()
        if game.bots_due:
            metrics.bot_lag.observe(late)
        else:
            metrics.clock_lag.observe(late)
            metrics.worst_clock_lag.observe(late)
        played = True
        if first_deal.is_waited_for(game):
            before_start.close_abandoned(code, now=now)
        elif downtime and game.due_at <= downtime.ended:
            commands.give_back(code, lost=downtime.lost, now=now)
            commands.play_due(code, now=now)  # where a bot moves, it is still due
        elif game.status == Status.OPEN:
            before_start.close_abandoned(code, now=now)
        else:
            played = commands.play_due(code, now=now, row=game)
        metrics.games_run.labels("done" if played else "beaten").inc()
    except Refused:  # others were faster every time: the game goes on without the scheduler
        metrics.games_run.labels("beaten").inc()
    except (OperationalError, InterfaceError) as error:  # not this game's fault
        metrics.games_run.labels("set aside").inc()
        commands.set_aside(code, now=now, until=now + _SET_ASIDE_WITHOUT_DATABASE)
        logger.warning(
            "game set aside: database unavailable game=%s error=%s", code, _first_line(error)
        )
    except Exception as error:
        metrics.games_run.labels("set aside").inc()
        _set_aside(code, error, since=failing_since, now=now)


def _set_aside(code: str, error: Exception, *, since: datetime | None, now: datetime) -> None:
    """Postpone a game that has just failed, for longer the longer it has been failing.

    `since`: when its step first failed; None: this is the first failure.
    """
    failed_for = timedelta() if since is None else now - since
    later = now + min(max(failed_for, SET_ASIDE), _LONGEST_ASIDE)
    commands.set_aside(code, now=now, until=later, failed=True)
    if since is None:
        logger.error("game set aside game=%s", code, exc_info=error)
    elif failed_for < _BROKEN_AT_MOST:
        minutes = failed_for // timedelta(minutes=1)
        name = type(error).__name__
        logger.error("game still fails game=%s minutes=%d error=%s", code, minutes, name)
    elif close_by_staff.close(code):
        logger.error("broken game closed game=%s", code)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
