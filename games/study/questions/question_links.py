"""Questions by link: creating one, finding it, and the data about its author."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.models import User
from games.errors import Refused
from games.models import LONGEST_CODE, Game, Question
from games.store import queries
from games.study.questions import decisions
from games.study.questions.decisions import Decision


def ask(game: Game, number: int, person: User, *, named: bool, now: datetime) -> Question:
    """Get or create the question about the decision at the moment `number`.

    Refused: `not_over`, `private_game`, `nothing_to_decide`.
    """
    if game.status != Game.Status.FINISHED:
        raise Refused("not_over")
    if not queries.is_open_to(game, person):
        raise Refused("private_game")
    if decisions.of_game(game, number) is None:
        raise Refused("nothing_to_decide")
    found, _created = Question.objects.get_or_create(
        game=game,
        moment=number,
        named=named,
        defaults={"asked_by": person, "created_at": now},
    )
    return found


def find(word: str) -> tuple[Question, Decision] | None:
    """The question with this link, and its decision; None if there is none."""
    if len(word) > LONGEST_CODE:
        return None
    question = Question.objects.select_related("game").filter(word=word).first()
    decision = None if question is None else decisions.of_game(question.game, question.moment)
    return None if question is None or decision is None else (question, decision)


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Remove this person as the author of their questions; the questions stay, as games do."""
    Question.objects.filter(asked_by=person).update(asked_by=None)


def export(person: User) -> Mapping[str, Any]:
    """The questions this person has asked, as plain values ready for JSON."""
    asked = Question.objects.filter(asked_by=person).select_related("game")
    return {
        "questions": [
            {
                "link": f"/q/{each.word}",
                "game": each.game.code,
                "moment": each.moment,
                "with_names": each.named,
                "asked": each.created_at.isoformat(),
            }
            for each in asked
        ]
    }
