"""What a step asks, and what it answers: the engine judges, the lesson only explains."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.core.chance import ScriptedChance, SeededChance
from games.core.contract import Fact, IllegalMove
from games.core.moves import Leave
from games.core.scripted_game import follow
from games.peco_peco import rules, words
from games.peco_peco.rules.cards import Card
from games.peco_peco.rules.moves import Move, Play
from games.peco_peco.tutorial.script import LEARNER, MovesMade, Script

_LEAVING = _("To leave this lesson, just go to another page. Why not make your move first?")


@dataclass(frozen=True)
class Plays:
    """All plays of these cards, with any target; without cards, of every card."""

    cards: Container[Card] | None = None

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Play) and (self.cards is None or move.card in self.cards)


@dataclass(frozen=True, kw_only=True)
class Right:
    """A right answer: why, the cards picked at random after it, and what the others do then."""

    moves: Container[Move]
    because: Promise
    picked: tuple[Card, ...] = ()
    then: MovesMade = ()


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One step. Its sentences may name the other players: %(left)s, %(across)s and %(right)s.

    `right` is what the step asks for, `show` one such move. `others` has a sentence for every
    other legal move; the first that fits is said. For illegal moves the engine has its own reasons.
    """

    title: Promise
    lead: Promise
    ask: Promise
    script: Script
    right: tuple[Right, ...]
    show: Move
    others: tuple[tuple[Container[Move], Promise], ...] = ()

    def position(self) -> list[Fact]:
        """The facts up to the question."""
        return self.script.play(ScriptedChance(self.script.luck))

    def answer(self, data: Mapping[str, object]) -> Answer:
        """The engine's and the lesson's answer to the move of a form."""
        facts = self.position()
        try:
            move = rules.parse(data)
            right = next((right for right in self.right if move in right.moves), None)
            # What comes of another move is not shown, so its chance need not be written down.
            chance = ScriptedChance(right.picked) if right else SeededChance(0)
            following = follow(rules, facts, ((LEARNER, move),), chance)
        except IllegalMove as refused:
            return Answer("refused", words.reason(refused.code, refused.details), facts)
        if right:
            news = following
            for each in right.then:
                news = follow(rules, [*facts, *following], (each,), chance)
                following = [*following, *news]
            return Answer("right", right.because, facts, following, news)
        every = (*self.others, ((Leave(),), _LEAVING))
        return Answer("other", next(said for moves, said in every if move in moves), facts)


@dataclass(frozen=True)
class Answer:
    """What a move was: `right`, `other` (legal, but not what was asked) or `refused`.

    `facts` lead to the question, `following` came of the right move and of what the others did
    then, `news` of the last of these moves; `said` is for the learner.
    """

    verdict: Literal["right", "other", "refused"]
    said: str | Promise
    facts: list[Fact]
    following: list[Fact] = field(default_factory=list)
    news: list[Fact] = field(default_factory=list)


def form_of(move: Move) -> dict[str, object]:
    """The fields of the form that makes this move; the learner never joins a team."""
    if isinstance(move, Play):
        target = {} if move.target is None else {"target": move.target}
        return {"do": move.kind, "card": move.card, **target}
    return {"do": move.kind}
