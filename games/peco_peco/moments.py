"""The moments of a finished game of Peco Peco: each step and the table after it, all hands open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.contract.game_values import RecordedFact, ReplayMove
from games.core.contract import Fact
from games.peco_peco import replay_moves
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    GameEnded,
    HonestyShown,
    Left,
    RoundEnded,
    RoundSeen,
    RoundStarted,
    SlapWaived,
)
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff

# What people remember as a step of its own; everything else belongs to the step before it.
_STEPS = (
    RoundStarted | CardPlayed | Declared | BluffAdmitted | HonestyShown | RoundEnded | GameEnded
)
# Who has looked or does not want to accuse changes nothing that a replay shows.
_LEFT_OUT = RoundSeen | SlapWaived


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of the game: what happened in it, when, and the table after it.

    `bluff`: a player said that they cannot play, although they could.
    """

    at: datetime
    facts: tuple[Fact, ...]
    state: State
    bluff: bool = False
    move: ReplayMove | None = None

    @property
    def round(self) -> int:
        return self.state.number

    @property
    def opens(self) -> bool:
        return isinstance(self.facts[0], BluffAdmitted | HonestyShown | RoundEnded)


def from_log(facts: Iterable[RecordedFact]) -> list[Moment]:
    """The steps of a finished game: every deal, card, declaration and accusation, the end of every
    round, and at last that of the game. `facts` is the whole log.
    """
    state: State | None = None
    steps: list[Moment] = []
    before_the_first: tuple[Fact, ...] = ()
    views, previous = replay_moves.Views(), list[RecordedFact]()
    for group in _groups([each for each in facts if not isinstance(each.fact, _LEFT_OUT)]):
        first = group[0].fact
        bluff = isinstance(first, Declared) and state is not None and is_bluff(state, first.seat)
        move = None if state is None else replay_moves.move_of(state, views, previous, group)
        previous = group
        for each in group:
            state = evolve(state, each.fact)
            views.add(each)
        assert state is not None  # noqa: S101
        happened = before_the_first + tuple(each.fact for each in group)
        if state.number == 0:
            before_the_first = happened
            continue
        before_the_first = ()
        steps.append(Moment(group[0].at, happened, state, bluff, move))
    return steps


def _groups(facts: Sequence[RecordedFact]) -> list[list[RecordedFact]]:
    """The facts, cut before every step; departures that ended the game are part of its end."""
    groups: list[list[RecordedFact]] = []
    for each in facts:
        if not groups or isinstance(each.fact, _STEPS):
            groups.append([])
        groups[-1].append(each)
    *_earlier, before, last = groups
    if last[0].fact == GameEnded("others_left"):
        left = [each.at == last[0].at and isinstance(each.fact, Left) for each in before]
        cut = left.index(True) if any(left) else len(before)
        last[:0] = before[cut:]
        del before[cut:]
    return [group for group in groups if group]
