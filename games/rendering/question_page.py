"""The page of a question: the table as its player knew it, then what was chosen and what was true.

Nothing of the second half is on the page before a choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import catalogue
from games.core.contract import IllegalMove
from games.game_values import ReplayMove
from games.models import Question, Seat
from games.questions.decisions import Decision
from games.rendering import replay_page


def page(
    question: Question, decision: Decision, fields: Mapping[str, str] | None
) -> dict[str, Any]:
    """The context of `questions/question.html`; `fields` are those of a choice, None before it."""
    kind = catalogue.of(question.game.kind_key)
    seats = seats_of(question)
    title, _held = decision.part.summary(decision.known, decision.seat)
    context: dict[str, Any] = {
        "me": seats[decision.seat].name,
        "seat": decision.seat,
        "title": title,
        "assets": kind.assets,
        "own_template": f"{kind.key}/_own.html",
    }
    if fields is not None:
        try:
            chosen = decision.judged(decision.parse(fields))
        except IllegalMove as refused:
            context["refused"] = kind.words.reason(refused.code, refused.details)
        else:
            return context | _answered(question, decision, chosen, seats)
    shown = decision.part.position(decision.known, decision.seat, seats)
    _as_then(shown["t"], seats, decision)
    return context | shown | {"table_template": f"{kind.key}/_table.html"}


def _answered(
    question: Question, decision: Decision, chosen: ReplayMove, seats: list[Seat]
) -> dict[str, Any]:
    words = catalogue.of(question.game.kind_key).words
    names = [seat.name for seat in seats]

    def told(made: ReplayMove) -> dict[str, Any]:
        return {
            "words": words.move(made),
            "chance": words.move_chance(made),
        }

    table = decision.part.revealed(decision.before.state, seats)
    _as_then(table, seats, decision)
    same = (chosen.code, chosen.values) == (decision.made.code, decision.made.values)
    return {
        "chosen": told(chosen),
        "odds": words.move_odds(chosen, names),
        "made": told(decision.made),
        "same": same,
        # The replay has the names.
        "replay_url": replay_page.address(question.game, decision.number)
        if question.named
        else None,
        "t": table,
        "table_template": f"{question.game.kind_key}/_question_table.html",
    }


def seats_of(question: Question) -> list[Seat]:
    """The seats as the question shows them: those of the game, or nobody's, by number."""
    if question.named:
        return list(question.game.seat_set.select_related("user"))
    return [Seat(number=number) for number in range(question.game.size)]


def _as_then(table: dict[str, Any], seats: list[Seat], decision: Decision) -> None:
    replay_page.show_as_then(table["seats"], seats, gone=decision.known.gone)
