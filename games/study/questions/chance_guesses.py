"""Questions of *Guess first* about a chance: how likely a claim was false by what a seat knew.

They are for games whose moves have no value (`optional_parts.Guesses`). The answer is what the
replay says of a challenge at that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.contract import catalogue
from games.contract.catalogue import Moment
from games.contract.game_values import ChanceQuestion, ReplayMove
from games.core.contract import fold
from games.models import Game
from games.store.moments import facts_told
from games.study.questions import question_page, stage
from games.study.questions.decisions import Situation
from games.study.review.reviews import StoredReview
from games.table.common import seats_of


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice in words; its cost is for after a choice, "" if it is right or has none."""

    words: str
    cost: str
    is_right: bool
    is_played: bool


@dataclass(frozen=True, slots=True)
class ChanceGuess:
    """A claim of a review as a question."""

    question: ChanceQuestion
    situation: Situation
    choices: Sequence[Choice] = field(repr=False)

    @property
    def number(self) -> int:
        return self.question.number

    @property
    def seat(self) -> int:
        return self.question.seat


def of_review(game: Game, review: StoredReview, reader: int | None) -> Iterator[ChanceGuess]:
    """All questions of a review, the most telling first; none in games without them."""
    part = catalogue.of(game.kind_key).guesses
    if part is None:
        return
    moments = catalogue.of(game.kind_key).replay.moments(game)
    for question in part.of_review(review.content, moments, reader):
        choices = [
            Choice(words, cost="", is_right=place == question.right, is_played=False)
            for place, words in enumerate(part.choices())
        ]
        yield ChanceGuess(question, situation(game.kind_key, moments, question), choices)


def situation(kind_key: str, moments: Sequence[Moment], question: ChanceQuestion) -> Situation:
    """What the seat that is asked knew once the claim was made, and the move that followed."""
    questions = catalogue.of(kind_key).questions
    assert questions is not None  # noqa: S101  # `guesses` needs it
    number = question.number
    return Situation(
        kind_key=kind_key,
        number=number,
        seat=question.seat,
        before=moments[number - 1],
        since=moments[number - 1 : number + 1],
        known=_known(kind_key, moments[:number], question.seat),
        part=questions,
    )


def _known(kind_key: str, moments: Sequence[Moment], seat: int) -> Any:
    """The state as a seat knew it after these moments."""
    return fold(catalogue.of(kind_key).rules, facts_told(moments, seat))


def challenge(asks: Situation, moments: Sequence[Moment], question: ChanceQuestion) -> ReplayMove:
    """A challenge of the claim by the seat whose knowledge counts, as the replay would show it."""
    known = _known(asks.kind_key, moments[: question.number], question.by)
    return asks.part.judged(asks.before.state, known, question.by, asks.part.CHALLENGE)


def asked(game: Game, guess: ChanceGuess) -> dict[str, Any]:
    """The values of `games/guess.html` before a choice: what the player knew."""
    part = catalogue.of(game.kind_key).guesses
    assert part is not None  # noqa: S101
    seats, asks = seats_of(game), guess.situation
    context = question_page.asked(asks, seats)
    return (
        context
        | stage.scene(asks, context["t"].seats)
        | {
            "title": part.ask(guess.question, [seat.name for seat in seats]),
            "held": context["o"].hand,
            "unseen": part.unseen(asks.known, asks.seat),
            "choices": guess.choices,
            "all_claims": True,
        }
    )


def answered(game: Game, guess: ChanceGuess, chosen: int) -> dict[str, Any]:
    """The values after a choice: the chance and what was true, as in the replay, and what happened.

    The table shows what a challenge would have revealed.
    """
    question, asks, seats = guess.question, guess.situation, seats_of(game)
    names = [seat.name for seat in seats]
    kind = catalogue.of(game.kind_key)
    held = question_page.asked(asks, seats)["o"].hand
    context = question_page.revealed(asks, seats, by=question.by)
    told = question_page.followed(asks, names)
    return (
        context
        | stage.scene(asks, context["t"].seats)
        | {
            "held": held,
            "told": told[-1],
            "followed": told[:-1],
            "chosen": guess.choices[chosen],
            "choices": guess.choices,
            "says": kind.words.move_odds(
                challenge(asks, kind.replay.moments(game), question), names
            ),
        }
    )


def row(game: Game, guess: ChanceGuess) -> dict[str, str]:
    """The claim in the list after all questions."""
    claim = guess.situation.before.move
    assert claim is not None  # noqa: S101
    words = catalogue.of(game.kind_key).words
    return {"name": seats_of(game)[claim.seat].name, "words": words.move(claim)}
