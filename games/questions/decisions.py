"""Decisions of a finished game: what a player did on their turn, and what they knew before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games import catalogue
from games.catalogue import Moment
from games.core.chance import SystemChance
from games.core.contract import IllegalMove, fold, may_know
from games.game_values import ReplayMove
from games.models import Game
from games.optional_parts import Questions

# The moves that are worth a question: with one there is nothing to decide.
LEAST_MOVES = 2


@dataclass(frozen=True)
class Decision:
    """A move of a finished game whose player could choose.

    `before` is the moment it was made at, with everything that was hidden; `known` is the state as
    the player knew it then, built from the facts they were told.
    """

    game: Game
    number: int  # of the moment that shows the move, from 1
    seat: int
    made: ReplayMove
    before: Moment = field(repr=False)
    known: Any = field(repr=False)
    part: Questions = field(repr=False)

    @cached_property
    def moves(self) -> list[Any]:
        """What the player could do."""
        return catalogue.of(self.game.kind_key).rules.legal_moves(self.known, self.seat)

    def parse(self, fields: Mapping[str, Any]) -> Any:
        """The move of a form that this player could make; raises IllegalMove."""
        rules = catalogue.of(self.game.kind_key).rules
        move = rules.parse(fields)
        if move not in self.moves:
            rules.decide(self.before.state, self.seat, move, SystemChance())  # says why
            raise IllegalMove("malformed")  # leaving, say, is no answer
        return move

    def judged(self, move: Any) -> ReplayMove:
        """One of `moves` as the replay would show it, had the player made it."""
        return self.part.judged(self.before.state, self.known, self.seat, move)


def find(game: Game, number: int) -> Decision | None:
    """The decision that the moment `number` shows; None when it shows none that could be asked.

    ValueError for a game that still runs.
    """
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    if kind.questions is None or not 1 < number <= len(moments):
        return None
    made = moments[number - 1].move
    if made is None:
        return None
    before = moments[: number - 1]
    told = (fact for moment in before for fact in moment.facts if may_know(fact, made.seat))
    known = fold(kind.rules, told)
    waiting = kind.rules.waiting(known)
    if waiting is None or waiting.kind != "turn" or waiting.on_turn != made.seat:
        return None
    found = Decision(game, number, made.seat, made, before[-1], known, kind.questions)
    return found if len(found.moves) >= LEAST_MOVES else None
