"""The steps of the tutorial as its pages show them: the table, the words and the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from accounts.requests import AnyUser
from games.core.contract import Fact, fold
from games.core.scripted_game import visible_facts
from games.models import Seat
from games.peco_peco import presenter, rules, scene, words
from games.peco_peco.rules.state import State
from games.peco_peco.tutorial.lesson import form_of
from games.peco_peco.tutorial.lessons import LESSONS
from games.peco_peco.tutorial.script import LEARNER, SEATS
from games.table import lesson as lesson_parts
from games.table import shown_seats

FIELDS: Final[Sequence[str]] = ("do", "card", "target", "call", "partner")


def titles() -> list[str]:
    """What each step is called, in the active language."""
    return [str(lesson.title) for lesson in LESSONS]


def step(number: int, move: Mapping[str, str] | None, *, user: AnyUser) -> dict[str, object]:
    """The context of a step, from 1, built from nothing but what the learner was told.

    `t` and `o` are what the templates of a table show.
    """
    lesson = LESSONS[number - 1]
    answer = None if move is None else lesson.answer(move)
    seats = lesson_parts.seats(user, SEATS, bot="easy")
    # A question is asked after a move of a single fact, or at the deal.
    facts = visible_facts(answer.facts if answer else lesson.position(), LEARNER)
    following = visible_facts(answer.following, LEARNER) if answer else []
    state: State = fold(rules, [*facts, *following])
    news = [fact for fact in (answer and answer.news) or facts[-1:] if fact.audience is None]
    narration = _narration(following or facts[-1:], seats)
    players = shown_seats.at_table(seats)
    others = {"left": seats[1].name, "across": seats[2].name, "right": seats[3].name}
    return {
        "me": seats[LEARNER].name,
        "title": lesson.title,
        "lead": str(lesson.lead) % others,
        "ask": str(lesson.ask) % others,
        "show": form_of(lesson.show),
        "verdict": answer and answer.verdict,
        "reply": answer and lesson_parts.reply(answer.verdict, answer.said, others),
        "narration": narration,
        "t": scene.of_state(state, players, narration=narration, news=news),
        "o": presenter.choices(state, LEARNER, [seat.name for seat in seats]),
    }


def _narration(facts: Iterable[Fact], seats: Sequence[Seat]) -> str:
    """The facts in sentences: to the learner where they are about them, else as to everyone."""
    names = [seat.name for seat in seats]
    sentences = (
        words.narrate_to_you(fact, LEARNER, names) or words.narrate(fact, names) for fact in facts
    )
    return " ".join(filter(None, sentences))
