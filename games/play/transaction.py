"""One move of a running game in one transaction, under an optimistic lock, retried when beaten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Any

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

# How often a move is tried when other writers are faster.
_TRIES = 5


def attempts(code: str, *, cached: Game | None = None) -> Iterator[Attempt]:
    """Attempts at one transaction on a game: `for attempt in attempts(code): with attempt as tx:`.

    The loop ends after the first attempt that is committed. The next one follows when another
    writer was faster (SomeoneWasFaster); after five, Refused: `someone_faster`.

    A `cached` row saves reading it. If it is stale, the optimistic lock fails; and no refusal rests
    on it: a move that it makes Refused or IllegalMove is judged again on a row that was just read.
    """
    for _ in range(_TRIES):
        attempt = Attempt(code, cached)
        yield attempt
        if attempt.committed:
            return
        cached = None
    raise Refused("someone_faster")


class Attempt:
    """One try at a transaction on a game: a context manager that gives a GameDraft.

    It is never part of a larger transaction: what it has read and announced is committed or was
    never there. SomeoneWasFaster does not leave it, nor a refusal that rests on a cached row.
    """

    def __init__(self, code: str, cached: Game | None) -> None:
        self.committed = False
        self._code = code
        self._row = cached
        self._is_cached = cached is not None
        self._read: tuple[Game, list[Seat]] | None = None
        self._atomic = transaction.atomic(durable=True)

    def read(self) -> tuple[Game, list[Seat]]:
        """The game and its seats, as the draft has them; read before the transaction opens where
        bots think about them. Change nothing in them but by the draft.
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
        return refused or isinstance(error, event_log.SomeoneWasFaster)


@sensitive_variables()
def start(
    draft: GameDraft, facts: Sequence[Fact], moves: Moves = (), *, now: datetime, chance: Chance
) -> None:
    """Write the facts of a new game, and what follows from them and from these moves.

    The moves were made elsewhere, before the game: for people they count as automatic.
    """
    rules = draft.rules
    dealt = steps.beginning(draft.game.seq).then(rules, facts, now=now)

    def unsealed() -> Any:
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
    """Let the rules decide the moves one after the other, and write what follows.

    `known` is what everybody knows before them. `automatic`: moves of a bot or a timeout, not of
    people. Raises IllegalMove, or SomeoneWasFaster; then nothing is changed.
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
    """The seats of people, whoever plays for them now."""
    return [seat.number for seat in draft.seats if seat.user_id is not None]


def _is_pointless(draft: GameDraft, progress: Progress, *, now: datetime) -> bool:
    """Whether there is nobody left to wait for: in a reveal, or in a window."""
    before, then, state = progress.waited, progress.waiting, progress.after.state
    if before is None or then is None or before.kind != then.kind:
        return False
    if then.kind == "reveal":
        return not deadlines.people(draft.seats, then)
    return deadlines.may_close(draft.game, draft.seats, state, then, now=now)


def _write(draft: GameDraft, progress: Progress, *, now: datetime) -> None:
    """Write the events and all that follows from them; SomeoneWasFaster writes nothing."""
    event_log.append(draft.game, progress.events, known=progress.after)
    for write in writers.BEFORE_SAVE:
        write(draft, progress, now)
    draft.save(seq=progress.after.seq)
    for write in writers.AFTER_SAVE:
        write(draft, progress, now)
