"""The tutorial's pages. Nothing is stored: the address says the step and the move that was made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from games import words
from games.core.contract import fold
from games.lessons import LEARNER, LESSONS, Answer, Lesson, form_of, known_to
from games.models import Seat
from games.rules import rules_of
from games.rules.contract import Fact
from games.rules.perudo import KEY
from games.rules.perudo.events import CalzaClaimed, Revealed
from games.rules.perudo.state import State
from games.screens import perudo

_FIELDS = ("do", "quantity", "face")
_LONGEST = 9  # letters of a field; what is longer is no move


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """What the tutorial is, and its ten steps."""
    return render(request, "learn/start.html", {"steps": _steps()})


@require_safe
def finished(request: HttpRequest) -> HttpResponse:
    """The end of the tutorial: off to a real table."""
    return render(request, "learn/finished.html", {"steps": _steps()})


@require_http_methods(["GET", "HEAD", "POST"])
def step(request: HttpRequest, step: int) -> HttpResponse:
    """One step: its question, or the answer to the move that the address names.

    A move comes as a POST, like at a table, and is sent on to the address of its answer.
    """
    if not 1 <= step <= len(LESSONS):
        raise Http404
    here = reverse("games:learn-step", args=[step])
    if request.method == "POST":
        made = {name: request.POST.get(name, "")[:_LONGEST] for name in _FIELDS}
        return redirect(f"{here}?{urlencode(made)}")
    lesson = LESSONS[step - 1]
    answer = lesson.answer(request.GET.dict()) if "do" in request.GET else None
    context = {
        "step": step,
        "steps": _steps(),
        "here": here,
        "next": reverse("games:learn-step", args=[step + 1])
        if step < len(LESSONS)
        else reverse("games:learn-finished"),
        "show": f"{here}?{urlencode(form_of(lesson.show))}",
        **_page(lesson, answer, seats=_seats(lesson, request.user)),
    }
    return render(request, "learn/step.html", context)


def _page(lesson: Lesson, answer: Answer | None, *, seats: Sequence[Seat]) -> dict[str, Any]:
    """The table and the words, built from nothing but what the learner was told."""
    facts = known_to(answer.facts if answer else lesson.position(), LEARNER)
    following = known_to(answer.following, LEARNER) if answer else []
    state: State = fold(rules_of(KEY), [*facts, *following])
    told = _told(following or facts[-1:], seats)
    # The learner is seat 0, so those to his left are the others in their order.
    others = {"name": seats[1].name, "next": seats[-1].name}
    return {
        "me": seats[LEARNER].name,
        "title": lesson.title,
        "lead": str(lesson.lead) % others,
        "ask": str(lesson.ask) % others,
        "verdict": answer and answer.verdict,
        "reply": answer and _reply(answer, others),
        "told": told,
        "t": perudo.scene(state, seats, told=told) | {"seq": 0},
        "o": perudo.choices(state, LEARNER, by_hand=False)
        | {"seat": LEARNER, "seq": 0, "most": state.most},
    }


def _reply(answer: Answer, others: dict[str, str]) -> str:
    """What is said to the learner; a reason of the engine's is whole already."""
    said = str(answer.said)
    return said if answer.verdict == "refused" else said % others


def _told(facts: Iterable[Fact], seats: Sequence[Seat]) -> str:
    names = [seat.name for seat in seats]
    facts = list(facts)
    # What lifts the cups says who called, so a claim that prevailed is not told besides.
    callers = {fact.caller for fact in facts if isinstance(fact, Revealed)}
    told = (fact for fact in facts if not (isinstance(fact, CalzaClaimed) and fact.seat in callers))
    return " ".join(filter(None, (words.told(fact, names) for fact in told)))


def _seats(lesson: Lesson, user: Any) -> list[Seat]:
    """The learner and bots, as they would sit at a real table; no row is ever written."""
    person = user if user.is_authenticated else None
    bots = [Seat(number=number, bot="beginner") for number in range(1, lesson.script.seats)]
    return [Seat(number=LEARNER, user=person), *bots]


def _steps() -> list[dict[str, Any]]:
    return [
        {"number": number, "title": lesson.title, "url": reverse("games:learn-step", args=[number])}
        for number, lesson in enumerate(LESSONS, start=1)
    ]
