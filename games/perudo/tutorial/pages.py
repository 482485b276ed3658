"""The steps of the tutorial as its pages show them: the table, the words and the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from accounts.requests import AnyUser
from games.core.contract import Fact, fold
from games.core.scripted_game import visible_facts
from games.models import Seat
from games.perudo import presenter, rules, scene, words
from games.perudo.rules.events import CalzaClaimed, Revealed
from games.perudo.rules.state import State
from games.perudo.tutorial.lesson import form_of
from games.perudo.tutorial.lessons import LESSONS
from games.perudo.tutorial.script import LEARNER
from games.table import lesson as lesson_parts
from games.table import shown_seats

FIELDS: Final[Sequence[str]] = ("do", "quantity", "face")


def titles() -> list[str]:
    """What each step is called, in the active language."""
    return [str(lesson.title) for lesson in LESSONS]


def step(number: int, move: Mapping[str, str] | None, *, user: AnyUser) -> dict[str, object]:
    """The context of a step, from 1, built from nothing but what the learner was told.

    `t` and `o` are what the templates of a table show.
    """
    lesson = LESSONS[number - 1]
    answer = None if move is None else lesson.answer(move)
    seats = lesson_parts.seats(user, lesson.script.seats, bot="beginner")
    facts = visible_facts(answer.facts if answer else lesson.position(), LEARNER)
    following = visible_facts(answer.following, LEARNER) if answer else []
    state: State = fold(rules, [*facts, *following])
    narration = _narration(following or facts[-1:], seats)
    # The learner is seat 0, so those to the left are the others in their order.
    others = {"name": seats[1].name, "next": seats[-1].name}
    return {
        "me": seats[LEARNER].name,
        "title": lesson.title,
        "lead": str(lesson.lead) % others,
        "ask": str(lesson.ask) % others,
        "show": form_of(lesson.show),
        "verdict": answer and answer.verdict,
        "reply": answer and lesson_parts.reply(answer.verdict, answer.said, others),
        "narration": narration,
        "t": scene.of_state(state, shown_seats.at_table(seats), narration=narration),
        "o": presenter.choices(state, LEARNER, by_hand=False),
    }


def _narration(facts: Iterable[Fact], seats: Sequence[Seat]) -> str:
    names = [seat.name for seat in seats]
    facts = list(facts)
    # What lifts the cups says who called, so a claim that prevailed is not told besides.
    callers = {fact.caller for fact in facts if isinstance(fact, Revealed)}
    told = (fact for fact in facts if not (isinstance(fact, CalzaClaimed) and fact.seat in callers))
    return " ".join(filter(None, (words.narrate(fact, names) for fact in told)))
