"""Decisions of games: what a player did on their turn, and what they knew before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from games import catalogue
from games.catalogue import Moment
from games.core.chance import SystemChance
from games.core.codec import key_of
from games.core.contract import Fact, IllegalMove, fold
from games.game_values import ReplayMove
from games.models import Game
from games.optional_parts import Questions
from games.store.moments import facts_told

# The moves that are worth a question: with one there is nothing to decide.
LEAST_MOVES: Final = 2
_LONGEST_FIELD: Final = 9  # letters; what is longer is no move


@dataclass(frozen=True)
class Decision:
    """A move of a game whose player could choose.

    `before` is the moment it was made at, with everything that was hidden; `known` is the state as
    the player knew it then, built from the facts they were told. `since` are the moments from the
    one that shows the move to the one that opens what was hidden, or to the end of the round.
    """

    kind_key: str
    number: int  # of the moment that shows the move, from 1
    seat: int
    made: ReplayMove
    before: Moment = field(repr=False)
    since: Sequence[Moment] = field(repr=False)
    told: Sequence[Fact] = field(repr=False)  # what the player knew, from the first deal
    known: Any = field(repr=False)
    part: Questions = field(repr=False)

    @cached_property
    def moves(self) -> list[Any]:
        """What the player could do."""
        return catalogue.of(self.kind_key).rules.legal_moves(self.known, self.seat)

    @cached_property
    def moves_by_key(self) -> dict[str, Any]:
        """The same by `codec.key_of`."""
        return {key_of(move): move for move in self.moves}

    def fields_of(self, form: Mapping[str, str]) -> dict[str, str]:
        """The fields of a posted form that make a move, cut where no move goes on."""
        return {name: form.get(name, "")[:_LONGEST_FIELD] for name in self.part.FIELDS}

    def parse(self, fields: Mapping[str, Any]) -> Any:
        """The move of a form that this player could make; raises IllegalMove."""
        rules = catalogue.of(self.kind_key).rules
        move = rules.parse(fields)
        if move not in self.moves:
            rules.decide(self.before.state, self.seat, move, SystemChance())  # says why
            raise IllegalMove("malformed")  # leaving, say, is no answer
        return move

    def judged(self, move: Any) -> ReplayMove:
        """One of `moves` as the replay would show it, had the player made it."""
        return self.part.judged(self.before.state, self.known, self.seat, move)


def of_game(game: Game, number: int) -> Decision | None:
    """The decision that the moment `number` of a finished game shows; see `find`.

    ValueError for a game that still runs.
    """
    return find(game.kind_key, catalogue.of(game.kind_key).replay.moments(game), number)


def find(kind_key: str, moments: Sequence[Moment], number: int) -> Decision | None:
    """The decision that the moment `number` of these shows; None when it shows none that could be
    asked.
    """
    kind = catalogue.of(kind_key)
    if kind.questions is None or not 1 < number <= len(moments):
        return None
    made = moments[number - 1].move
    if made is None:
        return None
    before = moments[: number - 1]
    told = facts_told(before, made.seat)
    known = fold(kind.rules, told)
    waiting = kind.rules.waiting(known)
    if waiting is None or waiting.kind != "turn" or waiting.on_turn != made.seat:
        return None
    since = _to_the_opening(moments[number - 1 :])
    found = Decision(
        kind_key, number, made.seat, made, before[-1], since, told, known, kind.questions
    )
    return found if len(found.moves) >= LEAST_MOVES else None


def _to_the_opening(moments: Sequence[Moment]) -> Sequence[Moment]:
    """The first of these moments up to one that opens, all of the same round."""
    end = next(
        (
            place + each.opens
            for place, each in enumerate(moments)
            if each.opens or each.round != moments[0].round
        ),
        len(moments),
    )
    return moments[:end]
