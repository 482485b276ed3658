"""Written moves are played as the rules play them, in every game."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.chance import SeededChance
from games.core.contract import Fact, IllegalMove, fold, may_know
from games.core.scripted_game import follow, play_rounds, visible_facts
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import Arena, facts_of, seeded, steps

every_game = pytest.mark.parametrize("arena", ARENAS.values(), ids=list(ARENAS))


def begun(arena: Arena, chance: SeededChance) -> list[Fact]:
    options = next(iter(arena.presets.values()))
    return arena.rules.start(arena.rules.SEATS[0], options, chance)


def first_moves(arena: Arena, facts: list[Fact], count: int) -> list[tuple[int, Any]]:
    """The first legal move of the seat on turn, so many times."""
    made: list[tuple[int, Any]] = []
    state = fold(arena.rules, facts)
    for _ in range(count):
        seat = arena.rules.to_act(state)[0]
        move = arena.rules.legal_moves(state, seat)[0]
        state = fold(arena.rules, arena.rules.decide(state, seat, move, _chance()), state)
        made.append((seat, move))
    return made


def _chance() -> SeededChance:
    return SeededChance(seeded(5))


@every_game
def test_each_move_is_decided_after_those_before_it(arena: Arena) -> None:
    facts = begun(arena, _chance())
    moves = first_moves(arena, facts, 2)
    both = follow(arena.rules, facts, moves, _chance())
    first = follow(arena.rules, facts, moves[:1], _chance())
    assert first and both[: len(first)] == first
    assert both[len(first) :] == follow(arena.rules, [*facts, *first], moves[1:], _chance())
    assert play_rounds(arena.rules, facts, [moves], _chance()) == [*facts, *both]


@every_game
def test_a_move_out_of_turn_is_refused(arena: Arena) -> None:
    facts = begun(arena, _chance())
    [(seat, move)] = first_moves(arena, facts, 1)
    with pytest.raises(IllegalMove):
        follow(arena.rules, facts, [((seat + 1) % 2, move)], _chance())


@every_game
def test_a_seat_knows_what_it_was_told_and_nothing_else(arena: Arena) -> None:
    facts = facts_of(steps(arena, seeded(3), leaving=0))
    told = visible_facts(facts, 1)
    assert 0 < len(told) < len(facts)
    assert all(may_know(fact, 1) == (fact in told) for fact in facts)
