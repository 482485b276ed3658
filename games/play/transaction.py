"""A move of a running game as one transaction under an optimistic lock, with retries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from datetime import datetime
from functools import partial
from types import TracebackType

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from games.core.contract import Chance, Fact, IllegalMove, fold
from games.errors import Refused
from games.models import Game, Seat
from games.play import deadlines, writers
from games.play import progress as steps
from games.play.draft import GameDraft
from games.play.progress import Moves, Progress
from games.store import event_log, row_cache
from games.store.event_log import PublicView

# How often a move is attempted when other writers are faster.
_TRIES = 5
_DEADLOCK = "40P01"  # of SQLSTATE


def attempts(code: str, *, cached: Game | None = None) -> Iterator[Attempt]:
    """Yield attempts at one transaction on a game.

    Usage: `for attempt in attempts(code): with attempt as tx:`. The loop ends after the first
    committed attempt. If another writer was faster (SomeoneWasFaster), the next attempt follows;
    after five, raises Refused: `someone_faster`.

    The victim of a deadlock, for example with a migration, is retried once.

    A `cached` row saves a query. If it is stale, the optimistic lock fails. If it leads to Refused
    or IllegalMove, the move is judged again on a freshly read row.
    """
    was_deadlocked = False
    for _ in range(_TRIES):
        attempt = Attempt(code, cached, may_deadlock=not was_deadlocked)
        yield attempt
        if attempt.committed:
            return
        was_deadlocked |= attempt.deadlocked
        cached = None
    raise Refused("someone_faster")


class NothingToWrite(Exception):
    """Moves have changed nothing in a game that no other writer has changed: the game is broken."""


class Attempt:
    """One try at a transaction on a game: a context manager that returns a GameDraft.

    It is never nested in another transaction, so nothing is announced that is not committed. It
    suppresses SomeoneWasFaster, refusals based on a cached row, and a deadlock if `may_deadlock`.
    """

    def __init__(self, code: str, cached: Game | None, *, may_deadlock: bool) -> None:
        self.committed = self.deadlocked = False
        self._may_deadlock = may_deadlock
        self._code = code
        self._row = cached
        self._is_cached = cached is not None
        self._read: tuple[Game, list[Seat]] | None = None
        self._atomic = transaction.atomic(durable=True)

    def read(self) -> tuple[Game, list[Seat]]:
        """Return the game and its seats as in the draft; change them only through the draft.

        May be called before the transaction opens, to let bots decide.
        """
        if self._read is None:
            game = copy(self._row or Game.objects.get(code=self._code))
            self._read = game, [copy(seat) for seat in row_cache.seats(game)]
        return self._read

    def __enter__(self) -> GameDraft:
        self._atomic.__enter__()
        try:
            return GameDraft(*self.read())
        except BaseException as error:
            self._atomic.__exit__(type(error), error, error.__traceback__)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._atomic.__exit__(kind, error, trace)
        self.committed = error is None
        refused = self._is_cached and isinstance(error, Refused | IllegalMove)
        # psycopg's error is the cause of Django's.
        self.deadlocked = getattr(getattr(error, "__cause__", None), "sqlstate", "") == _DEADLOCK
        again = self.deadlocked and self._may_deadlock
        return refused or again or isinstance(error, event_log.SomeoneWasFaster)


@sensitive_variables()
def start(
    draft: GameDraft, facts: Sequence[Fact], moves: Moves = (), *, now: datetime, chance: Chance
) -> None:
    """Write the facts of a new game, and everything that follows from them and these moves.

    The moves come from an earlier game, so those of people count as automatic.
    """
    rules = draft.rules
    dealt = steps.beginning(draft.game.seq).then(rules, facts, now=now)

    def unsealed() -> object:
        return fold(rules, facts)

    progress = steps.play(
        rules,
        dealt,
        moves,
        now=now,
        chance=chance,
        unsealed=unsealed,
        absent=_people(draft),
    )
    _write(draft, progress, now=now)


@sensitive_variables()
def play(
    draft: GameDraft,
    known: PublicView,
    moves: Moves,
    *,
    now: datetime,
    chance: Chance,
    automatic: bool = False,
) -> None:
    """Let the rules decide the moves in order, and write the facts and everything that follows.

    `known` is the public view before them. `automatic`: the moves come from a bot or a timeout.
    Raises IllegalMove or SomeoneWasFaster; then nothing is changed.
    """
    rules, unsealed = draft.rules, partial(event_log.unsealed, draft.game)
    step = partial(steps.play, rules, now=now, chance=chance, unsealed=unsealed)
    absent = _people(draft) if automatic else ()
    progress = step(steps.none_yet(rules, known), moves, absent=absent)
    if _is_pointless(draft, progress, now=now):
        due = rules.due_moves(progress.after.state)
        progress = step(progress, due, absent=_people(draft))
    _write(draft, progress, now=now)


def _people(draft: GameDraft) -> list[int]:
    """Return the seats of people, including those for whom a bot plays now."""
    return [seat.number for seat in draft.seats if seat.user_id is not None]


def _is_pointless(draft: GameDraft, progress: Progress, *, now: datetime) -> bool:
    """Whether a reveal or a window that continues has nobody left to wait for."""
    before, then, state = progress.waited, progress.waiting, progress.after.state
    if before is None or then is None or before.kind != then.kind:
        return False
    if then.kind == "reveal":
        return not deadlines.people(draft.seats, then)
    return deadlines.may_close(draft.game, draft.seats, state, then, now=now)


def _write(draft: GameDraft, progress: Progress, *, now: datetime) -> None:
    """Write the events and everything that follows from them.

    Raises SomeoneWasFaster, without writing anything, if the rows are stale; this also covers stale
    rows that leave no events to write. If there are no events and the rows are current, raises
    NothingToWrite.
    """
    event_log.append(draft.game, progress.events, known=progress.after)
    for write in writers.BEFORE_SAVE:
        write(draft, progress, now)
    draft.save(seq=progress.after.seq)
    if not progress.events:
        raise NothingToWrite
    for write in writers.AFTER_SAVE:
        write(draft, progress, now)
