"""What a step asks, and what it answers: the engine judges, the lesson only explains."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.core.chance import ScriptedChance
from games.core.contract import Fact, IllegalMove
from games.core.moves import Leave
from games.core.scripted_game import follow
from games.perudo import rules, words
from games.perudo.rules.bids import ORDINARY, Bid
from games.perudo.rules.moves import Move
from games.perudo.tutorial.script import LEARNER, Script, SeatMoves

_LEAVING = _("To leave this lesson, just go to another page. Why not make your move first?")


@dataclass(frozen=True)
class Bids:
    """All bids of these faces and numbers."""

    faces: Container[int]
    counts: Container[int] = range(1, 100)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Bid) and move.face in self.faces and move.quantity in self.counts


def ordinary(*, but: Iterable[int] = ()) -> tuple[int, ...]:
    """The faces 2 to 6 without some."""
    return tuple(face for face in ORDINARY if face not in tuple(but))


Explained = tuple[Container[Move], Promise]


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One step. Its sentences may name the seats to the learner's left: %(name)s and %(next)s.

    `right` is what the step asks for, `show` one such move; `then` is what the others do after
    it and `because` says why it was right. `others` has a sentence for every other legal move;
    the first that fits is said. For illegal moves the engine has its own reasons.
    """

    title: Promise
    lead: Promise
    ask: Promise
    script: Script
    right: Container[Move]
    show: Move
    because: Promise
    then: SeatMoves = ()
    others: tuple[Explained, ...] = ()

    def position(self) -> list[Fact]:
        """The facts up to the question."""
        return self.script.play(ScriptedChance(self.script.luck))

    def answer(self, data: Mapping[str, object]) -> Answer:
        """The engine's and the lesson's answer to the move of a form."""
        facts = self.position()
        nothing_left = ScriptedChance(())  # no step goes on to another roll
        try:
            move = rules.parse(data)
            following = follow(rules, facts, ((LEARNER, move),), nothing_left)
        except IllegalMove as refused:
            return Answer("refused", words.reason(refused.code, refused.details), facts)
        if move in self.right:
            following += follow(rules, [*facts, *following], self.then, nothing_left)
            return Answer("right", self.because, facts, following)
        every = (*self.others, ((Leave(),), _LEAVING))
        return Answer("other", next(said for moves, said in every if move in moves), facts)


@dataclass(frozen=True)
class Answer:
    """What a move was: `right`, `other` (legal, but not what was asked) or `refused`.

    `facts` lead to the question, `following` came of the right move; `said` is for the learner.
    """

    verdict: Literal["right", "other", "refused"]
    said: str | Promise
    facts: list[Fact]
    following: list[Fact] = field(default_factory=list)


def form_of(move: Move) -> dict[str, object]:
    """The fields of the form that makes this move."""
    if isinstance(move, Bid):
        return {"do": move.kind, "quantity": move.quantity, "face": move.face}
    return {"do": move.kind}
