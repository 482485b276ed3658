"""Decisions in games: a move that a player chose, and what they knew before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What a seat knew at a moment of a finished game, and what came of it.

    `before` is the moment, with all hidden facts. `known` is the state as the seat knew it then,
    built from the facts it was told. `since` are the moments to tell afterwards.
    """

    kind_key: str
    number: int  # of the moment in the replay that it is about, from 1
    seat: int
    before: Moment = field(repr=False)
    since: Sequence[Moment] = field(repr=False)
    known: Any = field(repr=False)
    part: Questions = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Decision(Situation):
    """A move in a game whose player had a choice; out of turn, that between this move and none.

    `number` is the moment that shows the move, `before` the one before it. `since` are the moments
    from the one that shows the move to the one that reveals the hands, or to the end of the round.
    """

    made: ReplayMove
    told: Sequence[Fact] = field(repr=False)  # what the player knew, from the first deal
    is_out_of_turn: bool = False

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


def of_game(game: Game, number: int, *, out_of_turn: bool = False) -> Decision | None:
    """The decision at the moment `number` of a finished game; see `find`.

    Raises ValueError for a running game.
    """
    moments = catalogue.of(game.kind_key).replay.moments(game)
    return find(game.kind_key, moments, number, out_of_turn=out_of_turn)


def find(
    kind_key: str, moments: Sequence[Moment], number: int, *, out_of_turn: bool = False
) -> Decision | None:
    """The decision that the moment `number`, from 1, of these shows; None if it shows none that can
    be a question: a move on turn or, if `out_of_turn` are asked about, any move.
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
    then: Any = before[-1]
    if out_of_turn:
        known = kind.questions.undecided(known)
        then = replace(then, state=kind.questions.undecided(then.state))
    waiting = kind.rules.waiting(known)
    if waiting is None:
        return None
    on_turn = waiting.kind == "turn" and waiting.on_turn == made.seat
    if not on_turn and (not out_of_turn or made.seat not in waiting.may_interrupt):
        return None
    since = _to_the_opening(moments[number - 1 :])
    found = Decision(
        kind_key=kind_key,
        number=number,
        seat=made.seat,
        made=made,
        before=then,
        since=since,
        told=told,
        known=known,
        part=kind.questions,
        is_out_of_turn=not on_turn,
    )
    choices = len(found.moves) + found.is_out_of_turn  # or no move at all
    return found if choices >= LEAST_MOVES else None


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
