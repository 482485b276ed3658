"""What every game promises, held against whole random games of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.chance import SeededChance
from games.core.codec import pack, unpack
from games.core.contract import IllegalMove, Rules, fold
from games.core.game_record import from_json, replay, to_json
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import (
    Arena,
    Viewers,
    facts_of,
    record_of,
    seeded,
    steps,
)

MEMBERS = {name for name in {*Rules.__annotations__, *vars(Rules)} if not name.startswith("_")}
every_game = pytest.mark.parametrize("arena", ARENAS.values(), ids=list(ARENAS))


def refused(rules: Rules, state: Any, seat: int, move: Any) -> str | None:
    """The reason code with which a move is refused; None when it is accepted."""
    try:
        rules.decide(state, seat, move, SeededChance(seeded(0)))
    except IllegalMove as illegal:
        return illegal.code
    return None


@every_game
def test_a_game_is_a_module_with_exactly_the_names_of_the_contract(arena: Arena) -> None:
    rules: Any = arena.rules
    assert set(rules.__all__) == MEMBERS
    assert all(hasattr(rules, name) for name in MEMBERS)


@every_game
def test_facts_have_the_names_under_which_they_are_stored(arena: Arena) -> None:
    assert all(fact.kind == kind for kind, fact in arena.rules.FACTS.items())


def reasons_of(rules: Any) -> tuple[str, ...]:
    """Every code with which a game refuses a move."""
    return get_args(import_module(f"{rules.__name__}.reasons").Reason)


# --- the course of a game ------------------------------------------------------------------------


@every_game
def test_random_games_of_every_preset_and_number_of_seats_end(
    arena: Arena, subtests: pytest.Subtests
) -> None:
    presets = arena.presets.items()
    for (preset, options), seats, seed in product(presets, arena.rules.SEATS, range(4)):
        with subtests.test(preset=preset, seats=seats, seed=seed):
            game = steps(arena, seeded(seed), leaving=0.004, seats=seats, options=options)
            *_, last = game
            ended = arena.rules.outcome(last.after)
            assert ended is not None
            ranked = [seat for place in ended.ranking for seat in place]
            assert sorted([*ranked, *ended.unranked]) == list(range(seats))
            assert arena.rules.ranking(last.after)[0] in ended.winners
            assert arena.rules.to_act(last.after) == () and arena.rules.due_moves(last.after) == []


@every_game
@given(seed=st.integers(0, 2**32), data=st.data())
@settings(max_examples=15)
def test_a_game_under_any_settings_keeps_every_promise(
    arena: Arena, seed: int, data: st.DataObject
) -> None:
    rules = arena.rules
    chosen = {name: data.draw(st.sampled_from(values)) for name, values in arena.choices.items()}
    options = rules.read_options(chosen)
    seats = data.draw(st.sampled_from(rules.SEATS))
    game = list(steps(arena, seeded(seed), leaving=0.01, seats=seats, options=options))
    state = None
    viewers = Viewers(rules, seats)
    for step in game:
        for fact in step.facts:
            state = rules.evolve(state, fact)
            assert arena.is_whole(state), fact
        viewers.learn(step.facts)
        for viewer, known in viewers.known.items():
            assert arena.as_known(known, viewer) == arena.as_known(state, viewer)
            assert arena.secrets(known, viewer) == []
    record = record_of(arena, game)
    assert replay(rules, record) == game[-1].after == state
    assert from_json(rules, to_json(record)) == record


@every_game
def test_what_the_questions_say_of_a_running_game_agrees(arena: Arena) -> None:
    rules = arena.rules
    for seed in range(20):
        for step in steps(arena, seeded(seed), leaving=0.01):
            state = step.after
            able = {seat for seat in range(step.seats) if rules.legal_moves(state, seat)}
            assert able == set(rules.to_act(state))
            assert sorted(rules.ranking(state)) == sorted(rules.in_play(state))
            assert (rules.outcome(state) is None) == (state.phase != "over")
            if state.phase != "over":
                shown = state.phase == "reveal"
                assert (rules.finished_round(state) is not None) == shown


@every_game
def test_any_seat_may_be_the_winner_of_the_game_before(arena: Arena) -> None:
    options = next(iter(arena.presets.values()))
    for starter in range(arena.rules.SEATS[-1]):
        chance = SeededChance(seeded(starter))
        facts = arena.rules.start(arena.rules.SEATS[-1], options, chance, starter=starter)
        assert fold(arena.rules, facts).phase == "turn"


@every_game
def test_the_same_seed_gives_the_same_game(arena: Arena) -> None:
    first, second = (facts_of(steps(arena, seeded(11), leaving=0.01)) for _ in range(2))
    assert first == second


@every_game
def test_folding_all_facts_again_gives_the_same_state(arena: Arena) -> None:
    for seed in range(10):
        game = list(steps(arena, seeded(seed), leaving=0.01))
        assert fold(arena.rules, facts_of(game)) == game[-1].after


# --- moves ---------------------------------------------------------------------------------------


def some_positions(arena: Arena) -> Iterator[tuple[Any, list[Any]]]:
    """Positions of random games, whole and as each seat knows them."""
    for seed in range(40):
        generator = seeded(seed)
        viewers: Viewers | None = None
        for step in steps(arena, generator, leaving=0.01):
            viewers = viewers or Viewers(arena.rules, step.seats)
            viewers.learn(step.facts)
            over = step.after.phase == "over"
            if generator.random() < arena.sampled or (over and not seed):
                yield step.after, [viewers.known[seat] for seat in range(step.seats)]
    for state in arena.positions():
        yield state, [state] * state.seats


@pytest.mark.slow
@every_game
def test_a_move_is_legal_for_what_a_seat_knows_exactly_when_it_is_accepted(arena: Arena) -> None:
    met = set()
    for state, known in some_positions(arena):
        moves = arena.universe(state)
        for seat, seen in enumerate(known):
            legal = arena.rules.legal_moves(seen, seat)
            assert legal == arena.rules.legal_moves(state, seat)
            assert len(set(legal)) == len(legal) and set(legal) <= set(moves)
            for move in moves:
                code = refused(arena.rules, state, seat, move)
                assert (code is None) == (move in legal), (seat, move, code)
                met.add(code)
    assert met == {None, *reasons_of(arena.rules)} - arena.unmet_reasons


@every_game
def test_a_refused_move_changes_nothing(arena: Arena) -> None:
    for step in steps(arena, seeded(8), leaving=0.01):
        if len(step.facts) % 2:
            continue
        before = repr(vars(step.after))
        for move in arena.universe(step.after)[::5]:
            refused(arena.rules, step.after, 0, move)
        assert repr(vars(step.after)) == before


@every_game
def test_what_the_scheduler_plays_is_accepted_and_changes_something(arena: Arena) -> None:
    rules = arena.rules
    for seed in range(15):
        for step in steps(arena, seeded(seed), leaving=0.02):
            state = step.after
            for seat, move in rules.due_moves(state):
                facts = rules.decide(state, seat, move, SeededChance(seeded(1)))
                assert facts
                state = fold(rules, facts, state)
            assert step.after.phase == "over" or state != step.after


@every_game
def test_the_move_played_for_a_seat_follows_from_what_the_seat_knows(arena: Arena) -> None:
    for state, known in some_positions(arena):
        if state.phase == "turn":
            seat = arena.rules.to_act(state)[0]
            move = arena.rules.timeout_move(known[seat], seat)
            assert move == arena.rules.timeout_move(state, seat)
            assert move in arena.rules.legal_moves(known[seat], seat)


# --- stored forms --------------------------------------------------------------------------------


@every_game
def test_every_fact_survives_its_json_form(arena: Arena) -> None:
    rules = arena.rules
    facts = set()
    for seed in range(60):
        for step in steps(arena, seeded(seed), leaving=0.01):
            for fact in step.facts:
                if fact.kind not in facts or not seed:
                    assert unpack(rules.FACTS, json.loads(json.dumps(pack(fact)))) == fact
                    facts.add(fact.kind)
    assert rules.FACTS.keys() - facts <= arena.rare_kinds


@every_game
def test_every_setting_survives_its_json_form(arena: Arena) -> None:
    for preset in arena.presets.values():
        assert list(arena.choices) == list(pack(preset))
    for name, values in arena.choices.items():
        for value in values:
            options = arena.rules.read_options(
                pack(next(iter(arena.presets.values()))) | {name: value}
            )
            assert getattr(options, name) == value
            assert arena.rules.read_options(json.loads(json.dumps(pack(options)))) == options
