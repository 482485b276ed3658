"""The ledger of a game: how the chances of every seat went from the first deal to the end.

A chance between rounds is `chances.of_dice`. Inside a round each seat's is what it could expect by
its own dice, the public facts and the judge's idea of how rounds go on, when it last decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from math import exp
from typing import Final

import numpy as np

from games.perudo.bots.features import Array, Choice
from games.perudo.moments import Moment
from games.perudo.review import chances
from games.perudo.review.judge import Judged, Roll, judge, roll_of
from games.perudo.review.styles import Bidders
from games.perudo.rules.events import BidMade, DieLost, DieRegained, Revealed
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.state import State
from games.study.review.log import By

LABELS: Final = ((0.5, "blunder"), (0.25, "mistake"), (0.1, "inaccuracy"))  # in dice
LUCK: Final = ("rolls", "bids", "reveals")
PARTS: Final = ("own", "gifts", "machine", *LUCK, "residual")


def label(regret: float) -> str | None:
    return next((name for least, name in LABELS if regret >= least), None)


def accuracy(regret: float) -> float:
    """Of a decision, from 0 to 1: the curve that lichess publishes, a die counting 50 there."""
    return min(100.0, max(0.0, 103.1668 * exp(-0.04354 * 50 * regret) - 3.1669)) / 100


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A judged decision, at the moment that shows it."""

    number: int
    by: By
    before: State = field(repr=False)
    judged: Judged = field(repr=False)


@dataclass(slots=True)
class Ledger:
    """What is added up while the moments of a game are gone through.

    Each seat has one chance at a time, that it `expects`; whatever changes this is written into one
    of the `parts`, by itself. From deciding to deciding again a seat is `given` what others' errors
    brought it. Luck is the rest of what happens to it: its own roll as it first decides, what it
    hears of the others' dice by their bids, and the reveal. The residual is where the first round,
    before anybody sees a die, differs from the chances by dice alone: by who opens it.
    """

    first: Array
    decisions: list[Decision] = field(default_factory=list)
    chances: list[tuple[int, Array]] = field(default_factory=list)
    reveals: list[tuple[int, Array]] = field(default_factory=list)
    rolls: list[tuple[int, Array]] = field(default_factory=list)
    parts: dict[str, Array] = field(init=False)
    expects: Array = field(init=False)
    given: Array = field(init=False)
    decided: set[int] = field(default_factory=set)  # in this round
    begun: bool = False

    def __post_init__(self) -> None:
        self.parts = {name: np.zeros(len(self.first)) for name in PARTS}
        self.chances.append((1, self.first))
        self._expect(self.first)

    @property
    def luck(self) -> Array:
        return np.asarray(sum(self.parts[name] for name in LUCK))

    def decide(self, decision: Decision, roll: Callable[[], Roll]) -> None:
        """Count a decision; `roll` is that of its seat, asked if it is its first of the round."""
        judged = decision.judged
        seat, effect = judged.seat, judged.effect
        heard = 0.0
        if seat not in self.decided:
            rolled = roll()
            if not self.decided:
                self._open(rolled.before)
            self.decided.add(seat)
            self.rolls.append((decision.number, self._of(seat, rolled.luck)))
            self.parts["rolls"][seat] += rolled.luck
            heard -= rolled.luck
        played = float(judged.chances[judged.played, seat])
        heard += played + judged.cost - self.expects[seat] - self.given[seat]
        self.parts["bids"][seat] += heard
        others = effect - self._of(seat, effect[seat])
        if decision.by == "person":
            self.parts["own"][seat] += effect[seat]
            self.parts["gifts"] += others
        else:
            self.parts["machine"] += effect
        self.given += others
        self.expects[seat], self.given[seat] = played, 0.0
        self.decisions.append(decision)

    def reveal(self, number: int, shown: Array) -> None:
        """Count a reveal: `shown` are the chances by the dice that everybody has after it."""
        luck = shown - self.expects - self.given
        self.reveals.append((number, luck))
        self.parts["reveals"] += luck
        self._expect(shown)

    def end_round(self, number: int, now: Array) -> None:
        """Count who left: `now` are the chances without them."""
        self.parts["machine"] += now - self.expects - self.given
        self.chances.append((number, now))
        self._expect(now)
        self.decided.clear()

    def _open(self, before: Array) -> None:
        self.parts["bids" if self.begun else "residual"] += before - self.expects
        self.begun = True
        self._expect(before)

    def _expect(self, chances: Array) -> None:
        self.expects, self.given = chances.copy(), np.zeros(len(self.first))

    def _of(self, seat: int, value: float) -> Array:
        """The value for a seat, and nothing for the others."""
        return np.where(np.arange(len(self.first)) == seat, value, 0.0)


def ledger_of(
    moments: Sequence[Moment], by: Callable[..., By], bidders: Bidders | None = None
) -> Ledger:
    """Go through a finished game; `by` says who decided for a seat, as `Log.by` does.

    `bidders`: see `judge`.
    """
    ledger = Ledger(chances.of_dice(moments[0].state.dice))
    for number, (before, after) in enumerate(pairwise(moments), start=2):
        move, now = after.move, chances.of_dice(after.state.dice)
        if move is None:  # a deal, or the end
            ledger.end_round(number, now)
            continue
        # A claim of calza is judged on the table that it found.
        state, seat = replace(before.state, phase="turn", claims=()), move.seat
        judged = judge(state, seat, _played(after), bidders)
        decision = Decision(number, by(seat, automatic=move.automatic), state, judged)
        ledger.decide(decision, partial(roll_of, state, judged, _seed(state, seat)))
        if after.opens:
            ledger.reveal(number, chances.of_dice(_after_the_call(state.dice, after)))
            ledger.end_round(number, now)
        else:
            ledger.chances.append((number, judged.chances[judged.played]))
    return ledger


def _played(after: Moment) -> Choice:
    for fact in after.facts:
        match fact:
            case BidMade(_, bid):
                return bid
            case Revealed(call, _):
                return Dudo() if call == "dudo" else Calza()
    raise ValueError("no move is shown at this moment")


def _after_the_call(dice: Sequence[int], after: Moment) -> tuple[int, ...]:
    """The dice of all seats when a die is lost or won back, and nobody has left yet."""
    left = list(dice)
    for fact in after.facts:
        match fact:
            case DieLost(seat):
                left[seat] -= 1
            case DieRegained(seat):
                left[seat] += 1
    return tuple(left)


def _seed(state: State, seat: int) -> list[int]:
    """What the sampled rolls of a decision depend on: public facts of the round."""
    bids = [number for _, bid in state.bids for number in (bid.quantity, bid.face)]
    return [state.number, seat, *state.dice, *bids]
