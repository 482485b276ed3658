"""What holds in whole games under any options, with players who leave and the scheduler."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from games.core.game_record import Record, replay
from games.perudo import rules
from games.perudo.rules.bids import DICE_EACH
from games.perudo.rules.events import DieRegained
from games.perudo.rules.options import CHOICES, Options
from games.perudo.rules.state import State
from games.perudo.tests.random_games import steps
from tests.games.contract.random_games import Step, seeded

any_options = st.builds(Options, **{name: st.sampled_from(v) for name, v in CHOICES.items()})
generators = st.integers(0, 2**32).map(seeded)


def lost(state: State) -> int:
    return sum(DICE_EACH - dice for dice in state.dice)


@given(options=any_options, generator=generators, leaving=st.sampled_from([0, 0.01, 0.1]))
def test_a_game_under_any_options_keeps_its_dice_and_ends(
    options: Options, generator: random.Random, leaving: float
) -> None:
    game: list[Step] = []
    for step in steps(generator, leaving=leaving, options=options):
        game.append(step)
        state: State = step.after
        assert sum(state.dice) + lost(state) == DICE_EACH * step.seats
        assert all(0 <= dice <= DICE_EACH for dice in state.dice)
        assert state.active == tuple(seat for seat in range(step.seats) if state.dice[seat])
        if state.phase in ("turn", "claims"):
            assert tuple(len(state.hand(seat)) for seat in range(step.seats)) == state.dice
            assert state.dice[state.turn] > 0
        if step.before is not None:
            gone, before = state.gone, step.before.dice
            staying = [seat for seat in range(step.seats) if seat not in gone]
            assert sum(state.dice[seat] != before[seat] for seat in staying) <= 1  # P31
    facts = tuple(fact for step in game for fact in step.facts)
    names = tuple(f"player {seat}" for seat in range(game[0].seats))
    assert replay(rules, Record("perudo", names, facts)) == game[-1].after


@given(generator=generators)
def test_without_calza_a_game_has_at_most_five_rounds_a_seat_less_one(
    generator: random.Random,
) -> None:
    *_, last = steps(generator, leaving=0, options=Options(calza="off"))
    assert last.after.number <= DICE_EACH * last.seats - 1


@given(options=any_options, generator=generators)
def test_a_state_has_exactly_its_fields_after_every_fact(
    options: Options, generator: random.Random
) -> None:
    """Copies are made by hand for speed; a misspelt field would go unnoticed."""
    for step in steps(generator, options=options):
        assert set(vars(step.after)) == set(State.__dataclass_fields__)
        if step.after.result:
            fields = type(step.after.result).__dataclass_fields__
            assert set(vars(step.after.result)) == set(fields)


@given(generator=generators)
def test_dice_come_back_only_by_calza(generator: random.Random) -> None:
    for step in steps(generator):
        if any(isinstance(fact, DieRegained) for fact in step.facts):
            assert step.after.result.call == "calza"
            assert step.after.result.count == step.after.result.bid.quantity
