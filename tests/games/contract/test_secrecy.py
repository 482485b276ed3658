"""What a seat is offered or refused never depends on what it may not know."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from games.core.chance import SeededChance
from games.core.contract import IllegalMove
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import Arena, Viewers, seeded, steps

every_game = pytest.mark.parametrize("arena", ARENAS.values(), ids=list(ARENAS))


def answers(arena: Arena, state: Any, seat: int) -> list[object]:
    """The reply to every move that this seat might try: a refusal in full, or what comes first.

    What an accusation leads to does depend on hidden cards: there it is enough that it is accepted.
    """
    replies: list[object] = []
    for move in arena.universe(state):
        try:
            facts = arena.rules.decide(state, seat, move, SeededChance(seeded(0)))
        except IllegalMove as illegal:
            replies.append((illegal.code, illegal.details))
        else:
            replies.append(facts[0].kind if move.kind != "accuse" else "accepted")
    return replies


@every_game
def test_other_hidden_hands_change_no_offer_and_no_refusal(arena: Arena) -> None:
    compared = 0
    for seed in range(20):
        generator = seeded(seed)
        for step in steps(arena, generator, leaving=0.01):
            if step.after.phase not in ("turn", "claims"):
                continue
            if generator.random() > 0.03:
                continue
            seat = generator.randrange(step.seats)
            other = arena.with_other_secrets(step.after, seat, generator)
            legal = arena.rules.legal_moves(step.after, seat)
            assert arena.rules.legal_moves(other, seat) == legal
            assert arena.rules.to_act(other) == arena.rules.to_act(step.after)
            assert answers(arena, other, seat) == answers(arena, step.after, seat)
            compared += other != step.after
    assert compared > 10


@every_game
def test_a_printed_state_shows_what_everybody_knows_and_no_more(arena: Arena) -> None:
    """A log line or an error that quotes the whole state quotes that of a spectator."""
    compared = 0
    for seed in range(4):
        for step in steps(arena, seeded(seed), leaving=0.01):
            if step.after.phase not in ("turn", "claims"):
                continue
            assert repr(step.after) == repr(arena.as_known(step.after, None))
            compared += step.after != arena.as_known(step.after, None)
    assert compared > 100


# Who a hidden fact is about: the public fact before it says so too.
SEATS_OF_A_FACT = {"seat", "only", "taker", "giver"}


@every_game
def test_a_printed_hidden_fact_shows_whom_it_is_about_and_no_more(arena: Arena) -> None:
    hidden = set()
    for seed in range(6):
        for step in steps(arena, seeded(seed), leaving=0.01):
            hidden |= {type(fact) for fact in step.facts if fact.audience is not None}
    assert hidden
    for kind in hidden:
        shown = {field.name for field in fields(kind) if field.repr}  # type: ignore[arg-type]
        assert shown <= SEATS_OF_A_FACT, kind


@every_game
def test_a_spectator_follows_a_game_by_public_facts(arena: Arena) -> None:
    rules = arena.rules
    for seed in range(10):
        viewers: Viewers | None = None
        for step in steps(arena, seeded(seed), leaving=0.01):
            viewers = viewers or Viewers(rules, step.seats)
            viewers.learn(step.facts)
            public = viewers.known[None]
            assert public.phase == step.after.phase
            assert rules.to_act(public) == rules.to_act(step.after)
            assert rules.ranking(public) == rules.ranking(step.after)
            assert rules.outcome(public) == rules.outcome(step.after)
            assert rules.finished_round(public) == rules.finished_round(step.after)
