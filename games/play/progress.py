"""How moves carry a game on: a pure step from what everybody knows to what they know after it.

No database, no clock, no source of chance: facts that are hidden from somebody are asked for only
when a move cannot be decided without them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.views.decorators.debug import sensitive_variables

from games.core.contract import Chance, Fact, Rules, Sealed, Waiting, fold
from games.game_values import RecordedFact
from games.store.event_log import PublicView

Moves = Iterable[tuple[int, Any]]


@dataclass(frozen=True, slots=True)
class Progress:
    """What everybody knew `before` and knows `after` the `events`, which follow on each other.

    `before.state` is None where the game begins with them. `waited` is what the game waited for
    before, `waiting` what it waits for now; None before it begins, and when it is over.
    """

    before: PublicView = field(repr=False)
    after: PublicView = field(repr=False)
    events: tuple[RecordedFact, ...] = field(repr=False)
    waited: Waiting | None
    waiting: Waiting | None

    def then(
        self, rules: Rules, facts: Sequence[Fact], *, now: datetime, automatic: bool = False
    ) -> Progress:
        """The same after these facts; `automatic` marks the first one (see `RecordedFact`)."""
        first = self.after.seq + 1
        new = tuple(
            RecordedFact(seq, now, fact, automatic and seq == first)
            for seq, fact in enumerate(facts, start=first)
        )
        after = self.after.then(rules, new, seq=new[-1].seq)
        waiting = rules.waiting(after.state)
        return Progress(self.before, after, self.events + new, self.waited, waiting)


def beginning(seq: int) -> Progress:
    """Nothing yet, at a table that stands at `seq`."""
    known = PublicView(seq=seq)
    return Progress(known, known, (), None, None)


def none_yet(rules: Rules, known: PublicView) -> Progress:
    """Nothing yet, in a game of which everybody knows so much."""
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
    unsealed: Callable[[], Any],
    absent: Collection[int] = (),
) -> Progress:
    """Let the rules decide the moves one after the other; those after the end are left out.

    `unsealed` gives the state before all this with every hidden fact in it. A move that asks for it
    in vain has drawn no chance yet. `absent` are the people for whom their moves are made: these
    count as automatic, but what closes a window replaces nobody's move. Raises IllegalMove.

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
