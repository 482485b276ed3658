"""Games between bots, their logs as judges get them, and their reviews."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from games.contract.game_values import RecordedFact
from games.core.chance import SeededChance
from games.core.contract import Chance, Fact, fold
from games.perudo import rules
from games.perudo.bots import BOTS, MEASURED, features
from games.perudo.bots.answer import answer
from games.perudo.bots.expert import calls_calza
from games.perudo.review import analyse
from games.perudo.review.judge import judge
from games.perudo.rules.events import Rolled
from games.perudo.rules.moves import Move
from games.perudo.rules.options import SITE_OPTIONS, Options
from games.perudo.rules.state import State
from games.study.review import log

START: Final = datetime(2026, 3, 1, tzinfo=UTC)


def judges(state: State, seat: int, chance: Chance) -> Move | None:
    """Makes no errors: always the move that the judge of reviews likes best."""

    def best(state: State, seat: int, chance: Chance) -> Move:
        moves = [move for move in features.choices(state, seat, state.hand(seat)) if move]
        found = judge(state, seat, moves[0])
        move = found.moves[found.best]
        assert move is not None
        return move

    return answer(state, seat, chance, on_turn=best, interrupt=calls_calza)


KINDS: Final = {**BOTS, **MEASURED, "judges": judges}


def facts_of(
    kinds: Sequence[str],
    seed: int | str,
    options: Options = SITE_OPTIONS,
    loaded: Callable[[Fact], Fact] = lambda fact: fact,
) -> list[Fact]:
    """Every fact of a game between bots of these kinds, a seat each; `loaded` changes rolls."""
    chance = SeededChance(f"review {seed}")
    facts = list(map(loaded, rules.start(len(kinds), options, chance)))
    state = fold(rules, facts)
    while state.phase != "over":
        moves = rules.due_moves(state)
        if state.phase == "turn":
            waiting = rules.waiting(state)
            assert waiting is not None and waiting.on_turn is not None
            for seat in (*waiting.may_interrupt, waiting.on_turn):
                move = KINDS[kinds[seat]](state, seat, chance)
                if move is not None:
                    moves = [(seat, move)]
                    break
        for seat, move in moves:
            new = list(map(loaded, rules.decide(state, seat, move, chance)))
            facts += new
            state = fold(rules, new, state)
    return facts


def better_dice(fact: Fact) -> Fact:
    """Pacos for seat 0 wherever it rolls twos or threes."""
    match fact:
        case Rolled(0, dice):
            return Rolled(0, tuple(sorted(1 if die in (2, 3) else die for die in dice)))
    return fact


def record_of(
    facts: Sequence[Fact], seats: int, *, bots: Sequence[int] = (), automatic: Sequence[int] = ()
) -> dict[str, Any]:
    """The log of a game that people played, but for bots and what was automatic (fact numbers)."""
    recorded = [
        RecordedFact(number, START + timedelta(seconds=number), fact, number in automatic)
        for number, fact in enumerate(facts, start=1)
    ]
    written: dict[str, Any] = json.loads(json.dumps(log.written(recorded, seats=seats, bots=bots)))
    return written


def review_of(kinds: Sequence[str], seed: int | str, options: Options = SITE_OPTIONS) -> Any:
    """The review of a game between bots, as if people had played it."""
    return analyse(record_of(facts_of(kinds, seed, options), len(kinds)))
