"""The page of a question: the table as its player knew it, and after a choice the whole truth.

Before the reader has chosen, the page contains nothing of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import words
from games.contract import catalogue, shown
from games.contract.game_values import ReplayMove
from games.core.contract import IllegalMove
from games.models import Question, Seat
from games.study.questions.decisions import Decision, Situation
from games.study.replay import replay_page
from games.study.review import reviewed_decision
from games.study.review.content import Content
from games.table import shown_seats


def page(
    question: Question, decision: Decision, fields: Mapping[str, str] | None
) -> dict[str, Any]:
    """The context of `questions/question.html`; `fields` is the posted choice, or None before."""
    seats = seats_of(question)
    if fields is None:
        return asked(decision, seats)
    try:
        move = decision.parse(fields)
    except IllegalMove as illegal:
        return asked(decision, seats) | {"refused": reason(decision, illegal)}
    context = answered(decision, seats, move, _judgement(decision))
    if question.named:  # the replay has the names
        context["replay_url"] = replay_page.address(question.game, decision.number)
    return context


def seats_of(question: Question) -> list[Seat]:
    """The seats by number: with their people if the question shows names, otherwise anonymous."""
    if question.named:
        return list(question.game.seat_set.select_related("user"))
    return nobodys_seats(question.game.seat_set.count())


def nobodys_seats(size: int) -> list[Seat]:
    """Unsaved seats without people; they are shown with names of bots."""
    return [Seat(number=number) for number in range(size)]


def reason(decision: Decision, illegal: IllegalMove) -> str:
    """The sentence that says why a choice is not possible."""
    return catalogue.of(decision.kind_key).words.reason(illegal.code, illegal.details)


def asked(situation: Situation, seats: Sequence[Seat]) -> dict[str, Any]:
    """The context before a choice: the table as the player knew it, and their possible moves."""
    players = shown_seats.as_then(seats, gone=situation.known.gone)
    position = situation.part.position(situation.known, situation.seat, players)
    kind_key = situation.kind_key
    templates = {
        "own_template": f"{kind_key}/_own.html",
        "table_template": f"{kind_key}/_table.html",
    }
    return _head(situation, seats) | shown.context(position) | templates


def answered(
    decision: Decision,
    seats: Sequence[Seat],
    move: Any,
    judgement: Content | None,
) -> dict[str, Any]:
    """The context after a choice, with all hands; `move` is one of the decision's `moves`.

    `judgement` says how good each of them was; None if the game has no judge.
    """
    words = catalogue.of(decision.kind_key).words
    names = [seat.name for seat in seats]
    chosen = decision.judged(move)

    def told(made: ReplayMove) -> dict[str, Any]:
        return {
            "words": words.move(made),
            "chance": words.move_chance(made),
        }

    before, since = decision.before.state, decision.since
    players = shown_seats.as_then(seats, gone=decision.known.gone)
    table = decision.part.revealed(before, decision.seat, move, since, players)
    judged = None if judgement is None else _judged(decision, judgement, move)
    same = (chosen.code, chosen.values) == (decision.made.code, decision.made.values)
    return _head(decision, seats) | {
        "chosen": told(chosen),
        "odds": words.move_odds(chosen, names)[-1 if judged else 0 :],
        "j": judged,
        "made": told(decision.made),
        "same": same,
        "plays": True,
        "held_template": f"{decision.kind_key}/_question_own.html",
        "followed": list(followed(decision, names)),
        "t": table,
        "table_template": f"{decision.kind_key}/_question_table.html",
    }


def revealed(
    situation: Situation,
    seats: Sequence[Seat],
    played: Any | None = None,
    *,
    by: int | None = None,
) -> dict[str, Any]:
    """The table and a hand after the move that was `played`; by default after a challenge of the
    claim, whatever was played. It is that of the seat itself or of the seat `by`, as is the hand.
    """
    before, since = situation.before.state, situation.since
    players = shown_seats.as_then(seats, gone=situation.known.gone)
    part = situation.part
    move = part.CHALLENGE if played is None else played
    table = part.revealed(before, situation.seat if by is None else by, move, since, players)
    return _head(situation, seats) | {"t": table}


def _judged(
    decision: Decision, judgement: Content, move: Any
) -> reviewed_decision.ToldDecision | None:
    """The judgement of this move, for `games/_judgement.html`; None in games without a judge."""
    kind = catalogue.of(decision.kind_key)
    if kind.judgement is None or kind.review_words is None:
        return None
    said = kind.judgement.decision(decision.known, decision.seat, judgement, move)
    said["number"] = decision.number
    return reviewed_decision.of_decision(kind.review_words, said, "", is_reader=True)


def _judgement(decision: Decision) -> dict[str, Any] | None:
    """The value of each move by the present judge; None in games without a judge."""
    judge = catalogue.of(decision.kind_key).judgement
    return judge.judgement(decision.known, decision.seat) if judge else None


def _head(situation: Situation, seats: Sequence[Seat]) -> dict[str, Any]:
    title, _held = situation.part.summary(situation.known, situation.seat)
    return {
        "me": seats[situation.seat].name,
        "seat": situation.seat,
        "title": title,
        "SITE_NAME": words.site_name(situation.kind_key),
        "assets": catalogue.of(situation.kind_key).assets,
    }


def followed(situation: Situation, names: Sequence[str]) -> Sequence[str]:
    """What happened since then, up to a reveal: one sentence for each public fact."""
    narrate = catalogue.of(situation.kind_key).words.narrate
    facts = [fact for moment in situation.since for fact in moment.facts if fact.audience is None]
    return [sentence for fact in facts if (sentence := narrate(fact, names))]
