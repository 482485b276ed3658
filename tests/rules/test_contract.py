"""What every game of the catalogue must keep, whatever it is: found out by random games."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.core.codec import pack, unpack
from games.core.contract import IllegalMove, fold
from games.rules import GAMES, rules_of
from games.rules.contract import Rules
from tests.rules.random_games import ARENAS, SeededChance, facts_of, seeded, steps

MEMBERS = {name for name in {*Rules.__annotations__, *vars(Rules)} if not name.startswith("_")}

pytestmark = pytest.mark.parametrize("key", GAMES)


def refused(rules: Rules, state: Any, seat: int, move: Any) -> str | None:
    try:
        rules.decide(state, seat, move, SeededChance(seeded(0)))
    except IllegalMove as illegal:
        return illegal.code
    return None


def test_a_game_is_a_module_with_exactly_the_names_of_the_contract(key: str) -> None:
    rules: Any = rules_of(key)
    assert set(rules.__all__) == MEMBERS
    assert all(hasattr(rules, name) for name in MEMBERS)
    assert key == rules.KEY


def test_random_games_end_with_every_seat_ranked_once(key: str) -> None:
    rules = rules_of(key)
    for seed in range(60):
        *_, last = steps(key, seeded(seed))
        outcome = rules.outcome(last.after)
        assert outcome is not None
        seats = len(outcome.ranking)
        assert sorted(outcome.ranking) == list(range(seats))
        assert seats in rules.SEATS
        assert outcome.winner in rules.in_play(last.after)
        assert rules.to_act(last.after) == ()
        assert rules.due_moves(last.after) == []


def test_a_game_that_runs_has_no_outcome(key: str) -> None:
    rules = rules_of(key)
    for step in steps(key, seeded(3)):
        assert (rules.outcome(step.after) is None) == (rules.phase(step.after) != "over")


def test_exactly_the_seats_that_have_legal_moves_are_to_act(key: str) -> None:
    rules = rules_of(key)
    for seed in range(40):
        generator = seeded(seed)
        for step in steps(key, generator):
            seats = range(step.seats)
            able = {seat for seat in seats if rules.legal_moves(step.after, seat)}
            assert able == set(rules.to_act(step.after))


def test_a_move_is_legal_exactly_when_it_is_accepted(key: str) -> None:
    rules = rules_of(key)
    for seed in range(12):
        generator = seeded(seed)
        for step in steps(key, generator):
            if generator.random() > 0.15:
                continue
            state = step.after
            for seat in range(step.seats):
                legal = rules.legal_moves(state, seat)
                assert len(set(legal)) == len(legal)
                for move in ARENAS[key].universe(state):
                    code = refused(rules, state, seat, move)
                    assert (code is None) == (move in legal), (seat, move, code)


def test_every_refusal_has_a_listed_reason(key: str) -> None:
    rules = rules_of(key)
    generator = seeded(5)
    for step in steps(key, generator):
        for seat in range(step.seats):
            move = generator.choice(ARENAS[key].universe(step.after))
            assert refused(rules, step.after, seat, move) in {None, *rules.REASONS}


def test_what_the_clock_plays_is_always_accepted(key: str) -> None:
    rules = rules_of(key)
    for seed in range(30):
        for step in steps(key, seeded(seed), leaving=0.05):
            state = step.after
            for seat, move in rules.due_moves(state):
                state = fold(rules, rules.decide(state, seat, move, SeededChance(seeded(1))), state)
            assert rules.phase(step.after) == "over" or state != step.after


def test_a_refused_move_changes_nothing(key: str) -> None:
    rules = rules_of(key)
    for step in steps(key, seeded(8)):
        state = step.after
        seen = (repr(state), hash(repr(vars(state))))
        for move in ARENAS[key].universe(state):
            refused(rules, state, 0, move)
        assert (repr(state), hash(repr(vars(state)))) == seen


def test_the_same_luck_and_moves_give_the_same_game(key: str) -> None:
    assert facts_of(steps(key, seeded(11))) == facts_of(steps(key, seeded(11)))


def test_folding_the_facts_again_gives_the_same_state(key: str) -> None:
    rules = rules_of(key)
    for seed in range(20):
        game = list(steps(key, seeded(seed)))
        facts = [fact for step in game for fact in step.facts]
        assert fold(rules, facts) == game[-1].after


def test_every_fact_of_a_game_survives_its_json_form(key: str) -> None:
    rules = rules_of(key)
    met = set()
    for seed in range(60):
        for fact in facts_of(steps(key, seeded(seed), leaving=0.01)):
            assert unpack(rules.FACTS, json.loads(json.dumps(pack(fact)))) == fact
            met.add(fact.kind)
    assert met == set(rules.FACTS)


def test_every_move_of_a_game_survives_its_json_form(key: str) -> None:
    rules = rules_of(key)
    met = set()
    for seed in range(40):
        for step in steps(key, seeded(seed), leaving=0.05):
            if step.move is not None:
                assert unpack(rules.MOVES, json.loads(json.dumps(pack(step.move)))) == step.move
                met.add(step.move.kind)
    assert met == set(rules.MOVES)


def test_options_survive_their_json_form(key: str) -> None:
    rules = rules_of(key)
    for seed in range(50):
        options = ARENAS[key].options(seeded(seed))
        assert rules.read_options(json.loads(json.dumps(pack(options)))) == options


def test_facts_know_the_names_under_which_they_are_stored(key: str) -> None:
    rules = rules_of(key)
    assert all(fact.kind == kind for kind, fact in rules.FACTS.items())
    assert all(move.kind == kind for kind, move in rules.MOVES.items())
