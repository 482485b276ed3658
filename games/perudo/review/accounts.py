"""The accounts of a game: how the chances of every seat went from the first deal to the end.

A chance between rounds is `chances.of_dice`. Inside a round it is what the seat that decided could
expect after its move, by its own dice, the public facts and the judge's idea of how rounds go on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import Final

import numpy as np

from games.perudo.bots.features import Array, Choice
from games.perudo.moments import Moment
from games.perudo.review import chances
from games.perudo.review.judge import Judged, judge, luck_of_the_roll
from games.perudo.rules.events import BidMade, DieLost, DieRegained, Revealed
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.state import State
from games.review.log import By

LABELS: Final = ((0.5, "blunder"), (0.25, "mistake"), (0.1, "inaccuracy"))  # in dice
PARTS: Final = ("own", "gifts", "machine", "luck")


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
    """What is added up while the moments of a game are gone through."""

    seats: int
    decisions: list[Decision] = field(default_factory=list)
    chances: list[tuple[int, Array]] = field(default_factory=list)
    reveals: list[tuple[int, Array]] = field(default_factory=list)
    rolls: list[tuple[int, Array]] = field(default_factory=list)
    parts: dict[str, Array] = field(init=False)

    def __post_init__(self) -> None:
        self.parts = {name: np.zeros(self.seats) for name in PARTS}

    def count(self, decision: Decision) -> None:
        """Add what a decision changed: to its seat's own errors, and to the gifts of the others."""
        effect = decision.judged.effect
        if decision.by != "person":
            self.parts["machine"] += effect
            return
        seat = decision.judged.seat
        self.parts["own"][seat] += effect[seat]
        self.parts["gifts"] += np.where(np.arange(self.seats) == seat, 0.0, effect)

    @property
    def change(self) -> Array:
        return np.asarray(self.chances[-1][1] - self.chances[0][1])

    @property
    def residual(self) -> Array:
        """What neither errors nor luck explain: what players learn from each other's bids."""
        return np.asarray(self.change - sum(self.parts.values()))


def ledger_of(moments: Sequence[Moment], by: Callable[..., By]) -> Ledger:
    """Go through a finished game; `by` says who decided for a seat, as `Log.by` does."""
    first = moments[0].state
    ledger = Ledger(first.seats)
    ledger.chances.append((1, chances.of_dice(first.dice)))
    decided: set[int] = set()
    for number, (before, after) in enumerate(zip(moments, moments[1:], strict=False), start=2):
        move, now = after.move, chances.of_dice(after.state.dice)
        if move is None:  # a deal, or the end; who left went with the round
            decided = set()
            ledger.parts["machine"] += now - chances.of_dice(before.state.dice)
        else:
            # A claim of calza is judged on the table that it found.
            state, seat = replace(before.state, phase="turn", claims=()), move.seat
            judged = judge(state, seat, _played(after))
            decision = Decision(number, by(seat, automatic=move.automatic), state, judged)
            ledger.decisions.append(decision)
            ledger.count(decision)
            if seat not in decided:
                decided.add(seat)
                luck = luck_of_the_roll(state, seat, _seed(state, seat))
                ledger.rolls.append((number, luck))
                ledger.parts["luck"] += luck
            expected = decision.judged.chances[decision.judged.played]
            if not after.opens:
                ledger.chances.append((number, expected))
                continue
            shown = chances.of_dice(_after_the_call(state.dice, after))
            ledger.reveals.append((number, shown - expected))
            ledger.parts["luck"] += shown - expected
            ledger.parts["machine"] += now - shown
        ledger.chances.append((number, now))
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
