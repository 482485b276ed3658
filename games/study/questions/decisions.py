"""Decisions in games: a move that a player chose on their turn, and what they knew before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from games.contract import catalogue
from games.contract.catalogue import Moment
from games.contract.game_values import ReplayMove
from games.contract.optional_parts import Questions
from games.core.chance import SystemChance
from games.core.codec import key_of
from games.core.contract import Fact, IllegalMove, fold
from games.models import Game
from games.store.moments import facts_told

# A question needs this many possible moves; with one there is nothing to decide.
LEAST_MOVES: Final = 2
_LONGEST_FIELD: Final = 9  # characters; no move has a longer field


@dataclass(frozen=True)
class Decision:
    """A move in a game whose player had a choice.

    `before` is the moment before the move, with all hidden facts. `known` is the state as the
    player knew it then, built from the facts they were told. `since` are the moments from the one
    that shows the move to the one that reveals the hands, or to the end of the round.
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
        """The moves that the player could make."""
        return catalogue.of(self.kind_key).rules.legal_moves(self.known, self.seat)

    @cached_property
    def moves_by_key(self) -> dict[str, Any]:
        """`moves` by their `codec.key_of`."""
        return {key_of(move): move for move in self.moves}

    def fields_of(self, form: Mapping[str, str]) -> dict[str, str]:
        """The fields of a posted form that describe a move, cut to the longest possible length."""
        return {name: form.get(name, "")[:_LONGEST_FIELD] for name in self.part.FIELDS}

    def parse(self, fields: Mapping[str, Any]) -> Any:
        """The move in a form. Raises IllegalMove if this player could not make it."""
        rules = catalogue.of(self.kind_key).rules
        move = rules.parse(fields)
        if move not in self.moves:
            rules.decide(self.before.state, self.seat, move, SystemChance())  # raises the reason
            raise IllegalMove("malformed")  # such as leaving, which is legal but no answer
        return move

    def judged(self, move: Any) -> ReplayMove:
        """One of `moves` as the replay would show it if the player had made it."""
        return self.part.judged(self.before.state, self.known, self.seat, move)


def of_game(game: Game, number: int) -> Decision | None:
    """The decision at the moment `number` of a finished game; see `find`.

    Raises ValueError for a running game.
    """
    return find(game.kind_key, catalogue.of(game.kind_key).replay.moments(game), number)


def find(kind_key: str, moments: Sequence[Moment], number: int) -> Decision | None:
    """The decision that the moment `number`, from 1, of these shows; None if it shows none that can
    be a question.
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
    """The first of these moments, up to and including a reveal, but only those of one round."""
    end = next(
        (
            place + each.opens
            for place, each in enumerate(moments)
            if each.opens or each.round != moments[0].round
        ),
        len(moments),
    )
    return moments[:end]
