"""The moments of a finished game of Perudo: each step and the table after it, all hands open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from games.contract.game_values import RecordedFact, ReplayMove
from games.core.contract import Fact
from games.perudo import replay_moves
from games.perudo.rules.events import BidMade, Left, Revealed, RevealSeen, RoundStarted
from games.perudo.rules.evolve import evolve
from games.perudo.rules.outcome import outcome
from games.perudo.rules.state import State

# What people remember as a step of its own; everything else belongs to the step before it.
_STEPS = RoundStarted | BidMade | Revealed


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of the game: what happened in it, when, and the table after it."""

    at: datetime
    facts: tuple[Fact, ...]
    state: State
    move: ReplayMove | None = None

    @property
    def round(self) -> int:
        return self.state.number

    @property
    def opens(self) -> bool:
        return self.move is not None and self.state.phase == "reveal"


def from_log(facts: Iterable[RecordedFact]) -> list[Moment]:
    """The steps of a finished game: every deal, bid and reveal, and at last its end.

    `facts` is the whole log. Who has seen the dice is left out; a claim shows on the bid it
    was about, and a roll for the opening on the first deal.
    """
    state: State | None = None
    steps: list[Moment] = []
    before_the_first: tuple[Fact, ...] = ()
    previous: Sequence[RecordedFact] = ()
    for group in _groups([each for each in facts if not isinstance(each.fact, RevealSeen)]):
        move = None if state is None else replay_moves.move_of(state, previous, group)
        previous = group
        for each in group:
            state = evolve(state, each.fact)
        assert state is not None  # noqa: S101
        happened = tuple(each.fact for each in group)
        if state.number == 0:
            before_the_first = happened
            continue
        if outcome(state) and isinstance(group[0].fact, Revealed):
            # The last reveal is one moment, the ranking after it another.
            shown = replace(state, phase="reveal")
            steps.append(Moment(group[0].at, happened, shown, move))
            steps.append(Moment(group[-1].at, (), state))
        else:
            steps.append(Moment(group[0].at, before_the_first + happened, state, move))
        before_the_first = ()
    return steps


def _groups(facts: Sequence[RecordedFact]) -> list[list[RecordedFact]]:
    """The facts, cut before every step and before the departure that ended the game, if any."""
    groups: list[list[RecordedFact]] = []
    for each in facts:
        if not groups or isinstance(each.fact, _STEPS):
            groups.append([])
        groups[-1].append(each)
    last = groups.pop()
    left = [place for place, each in enumerate(last) if isinstance(each.fact, Left)]
    cut = left[-1] if left else len(last)
    return [part for part in (*groups, last[:cut], last[cut:]) if part]
