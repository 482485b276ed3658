"""Guess first: the moments to look at again in a review, as questions.

A question about a decision shows what the player knew and a few of their moves. Where moves have no
value, `chance_guesses` asks about chances. After a choice the page shows what the review says, and
what happened; before it, nothing of that. Nothing is stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from django.urls import reverse

from games.contract import catalogue
from games.models import Game
from games.study.questions import chance_guesses, decisions, question_page, stage
from games.study.questions.chance_guesses import ChanceGuess, Choice
from games.study.questions.decisions import Decision
from games.study.review import first_look, review_page, reviewed_decision
from games.study.review.content import Content
from games.study.review.figures import in_percent
from games.study.review.reviews import StoredReview
from games.table.common import seats_of

MOST: Final = first_look.MOST_MOMENTS
_LEAST_CHOICES: Final = 3
# In chances of winning: choices that differ by less are equally good, …
_SAME: Final = 0.01
# … and a right decision is asked about if it was better than the rest by this.
_CLEAR: Final = 0.03


@dataclass(frozen=True, slots=True)
class Guess:
    """A decision of a review as a question; `found` is what the review has of it."""

    decision: Decision
    found: Content = field(repr=False)
    choices: Sequence[Choice] = field(repr=False)

    @property
    def number(self) -> int:
        return self.decision.number

    @property
    def seat(self) -> int:
        return self.decision.seat


def of_review(game: Game, review: StoredReview, reader: int | None) -> list[Guess | ChanceGuess]:
    """The questions in the order of the game, at most MOST.

    They are the costliest errors of the reader, or of all people if the reader didn't play, for
    which the review names a better move. Where these are fewer than MOST, close decisions of theirs
    that were right are added, or in a game whose moves have no value, chances.
    """
    found = islice(_all(game, review, reader), MOST)
    return sorted(found, key=lambda guess: guess.number)


def is_offered(game: Game, review: StoredReview, reader: int | None) -> bool:
    """Whether a review has any such question."""
    return next(_all(game, review, reader), None) is not None


def _all(game: Game, review: StoredReview, reader: int | None) -> Iterator[Guess | ChanceGuess]:
    """All questions, the best first."""
    of_decisions = (of_decision(game, each) for each in _candidates(game, review, reader))
    yield from (guess for guess in of_decisions if guess is not None)
    yield from chance_guesses.of_review(game, review, reader)


def _candidates(game: Game, review: StoredReview, reader: int | None) -> Iterator[Content]:
    words, content = catalogue.of(game.kind_key).review_words, review.content["decisions"]
    if words is None:
        return
    costly = review_page.costliest(content, reader, most=len(content))
    yield from (each for each in costly if reviewed_decision.why_better(words, each))
    own = (each for each in content if each["by"] == "person" and reader in (None, each["seat"]))
    right = [each for each in own if not each["forced"] and reviewed_decision.is_best(each)]
    margins = [(margin, each) for each in right if (margin := _margin(each)) >= _CLEAR]
    yield from (each for _, each in sorted(margins, key=lambda told: (told[0], told[1]["number"])))


def _margin(found: Content) -> float:
    """How much better the best choice is than every other, in chances."""
    chances = _chances(found)
    chosen = [chances[name] for name in _names(found) if name != found["best"]]
    return chances[found["best"]] - max(chosen) if chosen else 0.0


def has_choices(found: Content) -> bool:
    """Whether a decision has moves to choose from."""
    return len(_names(found)) >= decisions.LEAST_MOVES


def of_decision(game: Game, found: Content) -> Guess | None:
    """The question about a decision of a review; None if it can't be one."""
    words = catalogue.of(game.kind_key).review_words
    decision = decisions.of_game(game, found["number"], out_of_turn=True)
    names = _names(found)
    if words is None or decision is None or len(names) < decisions.LEAST_MOVES:
        return None
    order = {name: place for place, name in enumerate(decision.moves_by_key)}
    if decision.is_out_of_turn:  # to make no move is named by one word
        order |= {name: len(order) for name in names if not name.startswith("{")}
    if not order.keys() >= {*names}:
        return None
    chances = _chances(found)
    costs = {name: chances[found["best"]] - chances[name] for name in names}
    costs[found["played"]] = found["cost"] or 0.0  # as the review says it
    choices = [
        Choice(
            words=words.move(name),
            cost="" if costs[name] < _SAME else in_percent(round(-100 * costs[name])),
            is_right=costs[name] < _SAME,
            is_played=name == found["played"],
        )
        for name in sorted(names, key=order.__getitem__)
    ]
    return Guess(decision, found, choices)


def _chances(found: Content) -> dict[str, float]:
    """The chance of winning after each move that the review keeps and has one for."""
    known = (each for each in found["options"] if each.get("chance") is not None)
    return {each["move"]: each["chance"] for each in known}


def _names(found: Content) -> list[str]:
    """The moves to choose from: the best of each kind, the one that was played and, if these are
    few, the next best ones. Empty if the review has no chances.
    """
    chances = _chances(found)
    if not {found["best"], found["played"]} <= chances.keys():
        return []
    best_of: dict[str, str] = {}
    for name in chances:  # the best first
        best_of.setdefault(_kind_of(name), name)
    names = list(dict.fromkeys([found["best"], found["played"], *best_of.values()]))
    others = [name for name in chances if name not in names]
    return names + others[: max(0, _LEAST_CHOICES - len(names))]


def _kind_of(name: str) -> str:
    """The kind of a move as reviews name it: a JSON object, or one word."""
    return str(json.loads(name)["kind"]) if name.startswith("{") else name


# --- pages ---------------------------------------------------------------------------------------


def asked(game: Game, guess: Guess | ChanceGuess) -> dict[str, Any]:
    """The values of `games/guess.html` before a choice: what the player knew."""
    if isinstance(guess, ChanceGuess):
        return chance_guesses.asked(game, guess)
    context = question_page.asked(guess.decision, seats_of(game))
    return (
        context
        | stage.scene(guess.decision, context["t"].seats)
        | {"held": context["o"].hand, "choices": guess.choices, "all_claims": True}
    )


def answered(
    game: Game, guess: Guess | ChanceGuess, chosen: int, reader: int | None, *, tries: bool = False
) -> dict[str, Any]:
    """The values after a choice: what the review says of the decision, and what happened.

    `tries`: the reader can try the decision again.
    """
    if isinstance(guess, ChanceGuess):
        return chance_guesses.answered(game, guess, chosen)
    decision, seats = guess.decision, seats_of(game)
    played = decision.moves_by_key[guess.found["played"]]
    context = question_page.revealed(decision, seats, played)
    told = [*question_page.followed(decision, [seat.name for seat in seats])]
    return (
        context
        | stage.scene(decision, context["t"].seats)
        | {
            "held": context["t"].held,
            "told": told[-1] if told else "",
            "followed": told[:-1],
            "chosen": guess.choices[chosen],
            "choices": guess.choices,
            "j": review_page.judgement_of(game, guess.found, reader, tries=tries),
        }
    )


def row(game: Game, guess: Guess | ChanceGuess, *, is_right: bool) -> dict[str, Any]:
    """A moment in the list after all questions: its round, its move, its page of the review; the
    name of its player where others' moves are asked about too.
    """
    moment = catalogue.of(game.kind_key).replay.moments(game)[guess.number - 1]
    address = reverse("games:review", args=[game.code])
    told: dict[str, Any] = {
        "is_right": is_right,
        "round": moment.round,
        "url": f"{address}?at={guess.number}",
    }
    if isinstance(guess, ChanceGuess):
        return told | chance_guesses.row(game, guess)
    return told | {"words": next(each.words for each in guess.choices if each.is_played)}
