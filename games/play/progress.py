"""Pure functions that apply moves: from the public view of a game to the one after them.

They use no database, clock or randomness of their own. Hidden facts are requested only if a move
cannot be decided without them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.views.decorators.debug import sensitive_variables

from games.contract.game_values import RecordedFact
from games.core.contract import Chance, Fact, Rules, Sealed, Waiting, fold
from games.store.event_log import PublicView

Moves = Iterable[tuple[int, object]]


@dataclass(frozen=True, slots=True)
class Progress:
    """The public view `before` and `after` consecutive `events`.

    `before.state` is None if the game begins with them. `waited` is what the game waited for
    before, `waiting` what it waits for now; they are None before the game begins and after its end.
    """

    before: PublicView = field(repr=False)
    after: PublicView = field(repr=False)
    events: tuple[RecordedFact, ...] = field(repr=False)
    waited: Waiting | None
    waiting: Waiting | None

    def then(
        self, rules: Rules, facts: Sequence[Fact], *, now: datetime, automatic: bool = False
    ) -> Progress:
        """Return the progress extended by facts; `automatic` marks the first (`RecordedFact`)."""
        first, last = self.after.seq + 1, self.after.seq + len(facts)
        new = tuple(
            RecordedFact(seq, now, fact, automatic and seq == first)
            for seq, fact in enumerate(facts, start=first)
        )
        after = self.after.then(rules, new, seq=last)
        waiting = rules.waiting(after.state)
        return Progress(self.before, after, self.events + new, self.waited, waiting)


def beginning(seq: int) -> Progress:
    """Return empty progress for a game that has not begun, at a table with this `seq`."""
    known = PublicView(seq=seq)
    return Progress(known, known, (), None, None)


def none_yet(rules: Rules, known: PublicView) -> Progress:
    """Return empty progress for a running game with this public view."""
    waiting = rules.waiting(known.state)
    return Progress(known, known, (), waiting, waiting)


@sensitive_variables()
def play(
    rules: Rules,
    progress: Progress,
    moves: Moves,
    *,
    now: datetime,
    chance: Chance,
    unsealed: Callable[[], object],
    absent: Collection[int] = (),
) -> Progress:
    """Let the rules decide the moves in order; moves after the end of the game are ignored.

    `unsealed` returns the state before these events with all hidden facts. When `decide` raises
    Sealed, it has drawn no chance yet and can be repeated. `absent`: seats of people whose moves
    are made for them and count as automatic, except that closing a window replaces nobody's move.
    Raises IllegalMove.

    Each new fact is folded once, into the public state.
    """
    for number, move in moves:
        if progress.events and progress.waiting is None:
            break
        state, waiting = progress.after.state, progress.waiting
        try:
            facts = rules.decide(state, number, move, chance)
        except Sealed:
            whole = fold(rules, (each.fact for each in progress.events), unsealed())
            facts = rules.decide(whole, number, move, chance)
        in_window = waiting is not None and waiting.kind == "window"
        automatic = number in absent and not in_window
        progress = progress.then(rules, facts, now=now, automatic=automatic)
    return progress
