"""The account of one game worked out by hand, part by part, from what its moves were worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest

from games.core.chance import ScriptedChance
from games.core.contract import Fact
from games.core.moves import Confirm, Leave
from games.perudo import rules
from games.perudo.bots.features import Array, Choice
from games.perudo.review import analyse, ledger
from games.perudo.review.chances import of_dice
from games.perudo.review.judge import Judged, Roll, judge, roll_of
from games.perudo.review.ledger import LUCK, PARTS
from games.perudo.rules.bids import PACO, Bid
from games.perudo.rules.events import GameStarted, Rolled, RoundStarted, StartedMidway
from games.perudo.rules.moves import Calza, Dudo, SettleClaims
from games.perudo.rules.options import Options
from games.perudo.rules.rounds import state_after
from games.perudo.rules.state import State
from games.perudo.tests.reviewed_games import record_of

OPTIONS: Final = Options(
    calza="on", calza_who="any_but_bidder_and_next", calza_min_players=3, lost_dice_visible=True
)


class Played:
    """A game that begins with 2, 2 and 1 dice; the state before each decision is kept."""

    def __init__(self) -> None:
        self.facts: list[Fact] = [
            GameStarted(3, OPTIONS),
            StartedMidway(11, (2, 2, 1), (), (2,)),
            RoundStarted(11, 0, None),
            Rolled(0, (3, 4)),
            Rolled(1, (2, 6)),
            Rolled(2, (5,)),
        ]
        self.automatic: list[int] = []
        self.decided: list[tuple[State, int, Choice]] = []

    @property
    def state(self) -> State:
        return state_after(None, self.facts)

    def move(
        self, seat: int, move: Any, dice: Sequence[int] = (), *, automatic: bool = False
    ) -> None:
        """Make a move; `dice` are those of the next deal, seat by seat."""
        before = self.state
        if isinstance(move, Bid | Dudo | Calza):
            self.decided.append((before, seat, move))
        new = rules.decide(before, seat, move, ScriptedChance(dice))
        if automatic:
            self.automatic.append(len(self.facts) + 1)
        self.facts += new

    def see(self, dice: Sequence[int]) -> None:
        """Everybody confirms the reveal."""
        for seat in rules.to_act(self.state):
            self.move(seat, Confirm(), dice)


@pytest.fixture(scope="module")
def played() -> Played:
    game = Played()
    game.move(0, Bid(1, 3))
    game.move(2, Calza())  # out of turn: exactly one three
    game.move(2, SettleClaims())
    assert game.state.dice == (2, 2, 2)
    game.see((4, 6, 2, 5, 3, 3))
    game.move(2, Bid(1, 2))
    game.move(2, Leave())
    game.move(0, Bid(15, PACO))
    game.move(1, Dudo())  # there is no other move
    assert game.state.dice == (1, 2, 0)
    game.see((5, 2, 4))
    game.move(0, Bid(1, 5), automatic=True)
    game.move(1, Dudo())
    assert game.state.dice == (1, 1, 0)
    game.see((3, 4))
    game.move(1, Bid(1, 6))
    game.move(0, Dudo())
    assert game.state.phase == "over" and game.state.dice == (1, 0, 0)
    return game


def judged(game: Played) -> list[tuple[Judged, Roll]]:
    found = []
    for state, seat, move in game.decided:
        one = judge(state, seat, move)
        found.append((one, roll_of(state, one, ledger._seed(state, seat))))
    return found


def after(one: Judged) -> float:
    return float(one.chances[one.played, one.seat])


def before(one: Judged) -> float:
    return max(after(one), float(one.chances[one.best, one.seat]))


def test_each_part_of_the_account_is_what_it_is_by_hand(played: Played) -> None:
    (opens, r_opens), (calza, r_calza), *rest = judged(played)
    (two, r_two), (wild, r_wild), (forced, r_forced), *rest = rest
    (clock, r_clock), (doubt, r_doubt), (last, r_last), (ends, r_ends) = rest
    first, won_back, left = of_dice((2, 2, 1)), of_dice((2, 2, 2)), of_dice((1, 2, 2))
    without, level, end = of_dice((1, 2, 0)), of_dice((1, 1, 0)), of_dice((1, 0, 0))
    rounds = (r_opens.before, r_two.before, r_clock.before, r_last.before)
    by = {name: np.zeros(3) for name in PARTS}

    # Errors: what they cost, and whom they helped.
    for one in (opens, calza, two, wild, forced, doubt, last, ends):
        by["own"][one.seat] -= before(one) - after(one)
    assert forced.forced and before(forced) == after(forced)
    assert before(wild) - after(wild) > 0.05
    for one in (opens, calza, two, wild, doubt, last, ends):
        by["gifts"] += shares(one)
    by["machine"] += shares(clock)
    by["machine"][0] -= before(clock) - after(clock)
    by["machine"] += without - left  # seat 2 goes with the reveal

    # Rolls: of each seat in each round that it decides in.
    for one, roll in (
        *((opens, r_opens), (calza, r_calza), (two, r_two), (wild, r_wild), (forced, r_forced)),
        *((clock, r_clock), (doubt, r_doubt), (last, r_last), (ends, r_ends)),
    ):
        by["rolls"][one.seat] += roll.luck

    # Who opens the first round, and after that each of the others.
    by["residual"] += rounds[0] - first
    by["bids"] += (rounds[1] - won_back) + (rounds[2] - without) + (rounds[3] - level)

    # What else came to each seat before it decided.
    to = by["bids"]
    to[0] += before(opens) - rounds[0][0] - r_opens.luck
    to[2] += before(calza) - rounds[0][2] - shares(opens)[2] - r_calza.luck
    to[2] += before(two) - rounds[1][2] - r_two.luck
    to[0] += before(wild) - rounds[1][0] - shares(two)[0] - r_wild.luck
    to[1] += before(forced) - rounds[1][1] - shares(two)[1] - shares(wild)[1] - r_forced.luck
    to[0] += before(clock) - rounds[2][0] - r_clock.luck
    to[1] += before(doubt) - rounds[2][1] - shares(clock)[1] - r_doubt.luck
    to[1] += before(last) - rounds[3][1] - r_last.luck
    to[0] += before(ends) - rounds[3][0] - shares(last)[0] - r_ends.luck

    # The reveals, from what each seat could expect.
    to = by["reveals"]
    to[0] += won_back[0] - after(opens) - shares(calza)[0]
    to[1] += won_back[1] - rounds[0][1] - shares(opens)[1] - shares(calza)[1]
    to[2] += won_back[2] - after(calza)
    to[0] += left[0] - after(wild)
    to[1] += left[1] - after(forced)
    to[2] += left[2] - after(two) - shares(wild)[2]
    to[0] += level[0] - after(clock) - shares(doubt)[0]
    to[1] += level[1] - after(doubt)
    to[0] += end[0] - after(ends)
    to[1] += end[1] - after(last) - shares(ends)[1]

    review = analyse(record_of(played.facts, 3, automatic=played.automatic))
    for each in review["accounts"]:
        seat = each["seat"]
        for name in PARTS:
            assert each[name] == pytest.approx(by[name][seat], abs=1e-9), (seat, name)
        assert each["luck"] == pytest.approx(sum(by[name][seat] for name in LUCK), abs=1e-9)
        assert (each["first"], each["last"]) == (first[seat], end[seat])
    for name in PARTS:  # none of them is checked with nothing
        assert np.abs(by[name]).max() > 0.001, name
    decisions = {each["number"]: each for each in review["decisions"]}
    assert [each["forced"] for each in decisions.values()].count(True) == 1
    assert [each["by"] for each in decisions.values()].count("clock") == 1


def shares(one: Judged) -> Array:
    """What the others have of a cost: by how much the move raised the chances of each."""
    cost = before(one) - after(one)
    found = np.zeros(len(one.chances[0]))
    for seat, (got, had) in enumerate(
        zip(one.chances[one.played], one.chances[one.best], strict=True)
    ):
        if seat != one.seat and cost and got > had:
            found[seat] = got - had
    return found * cost / found.sum() if cost else found
