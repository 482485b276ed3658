"""The page of a question: the table as its player knew it, then what was chosen and what was true.

Nothing of the second half is on the page before a choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import catalogue
from games.core.contract import IllegalMove
from games.game_values import ReplayMove
from games.models import Question, Seat
from games.questions.decisions import Decision
from games.rendering import replay_page, review_moments


def page(
    question: Question, decision: Decision, fields: Mapping[str, str] | None
) -> dict[str, Any]:
    """The context of `questions/question.html`; `fields` are those of a choice, None before it."""
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
    """The seats as the question shows them: those of the game, or nobody's, by number."""
    if question.named:
        return list(question.game.seat_set.select_related("user"))
    return nobodys_seats(question.game.seat_set.count())


def nobodys_seats(size: int) -> list[Seat]:
    """So many seats, which have the names of bots."""
    return [Seat(number=number) for number in range(size)]


def reason(decision: Decision, illegal: IllegalMove) -> str:
    """Why a choice is not possible."""
    return catalogue.of(decision.kind_key).words.reason(illegal.code, illegal.details)


def asked(decision: Decision, seats: Sequence[Seat]) -> dict[str, Any]:
    """The context before a choice: the table as the player knew it, and what they could do."""
    shown = decision.part.position(decision.known, decision.seat, seats)
    _as_then(shown["t"], seats, decision)
    kind_key = decision.kind_key
    templates = {
        "own_template": f"{kind_key}/_own.html",
        "table_template": f"{kind_key}/_table.html",
    }
    return _head(decision, seats) | shown | templates


def answered(
    decision: Decision,
    seats: Sequence[Seat],
    move: Any,
    judgement: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """The context after a choice, with every hand; `move` is one of the decision's `moves`.

    `judgement` says how good each of them was, where somebody can say.
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
    table = decision.part.revealed(before, decision.seat, move, since, seats)
    _as_then(table, seats, decision)
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
        "followed": list(_followed(decision, names)),
        "t": table,
        "table_template": f"{decision.kind_key}/_question_table.html",
    }


def _judged(decision: Decision, judgement: Mapping[str, Any], move: Any) -> dict[str, Any] | None:
    """How good this move was, for `games/_judgement.html`; None in games that cannot say."""
    kind = catalogue.of(decision.kind_key)
    if kind.judgement is None or kind.review_words is None:
        return None
    said = kind.judgement.decision(decision.known, decision.seat, judgement, move)
    said["number"] = decision.number
    return review_moments.of_decision(kind.review_words, said, "", is_reader=True)


def _judgement(decision: Decision) -> dict[str, Any] | None:
    """What each choice was worth for the present judge."""
    judge = catalogue.of(decision.kind_key).judgement
    return judge.judgement(decision.known, decision.seat) if judge else None


def _head(decision: Decision, seats: Sequence[Seat]) -> dict[str, Any]:
    title, _held = decision.part.summary(decision.known, decision.seat)
    return {
        "me": seats[decision.seat].name,
        "seat": decision.seat,
        "title": title,
        "assets": catalogue.of(decision.kind_key).assets,
    }


def _followed(decision: Decision, names: Sequence[str]) -> Sequence[str]:
    """What happened from the decision to the opening, a sentence for each public fact."""
    narrate = catalogue.of(decision.kind_key).words.narrate
    facts = [fact for moment in decision.since for fact in moment.facts if fact.audience is None]
    return [sentence for fact in facts if (sentence := narrate(fact, names))]


def _as_then(table: dict[str, Any], seats: Sequence[Seat], decision: Decision) -> None:
    replay_page.show_as_then(table["seats"], seats, gone=decision.known.gone)
