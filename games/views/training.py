"""The odds trainer: ten questions, and the number of right answers.

Nothing is stored: the address contains the seed of the questions and the answers.
"""

from __future__ import annotations

import random
import re
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import words
from games.contract import catalogue
from games.contract.game_values import OddsQuestion
from games.contract.optional_parts import Trainer

QUESTIONS: Final = 10
SEEDS: Final = 1_000_000
# One letter per answer: y for the first ("more likely true"), n for the second.
_SAID: Final = re.compile(f"[yn]{{0,{QUESTIONS}}}")


@never_cache
@require_safe
def start(request: HttpRequest, kind_key: str) -> HttpResponse:
    """Redirect to ten questions with a random seed."""
    _trainer(kind_key)
    seed = random.randrange(SEEDS)  # noqa: S311  # nothing of it is secret
    return redirect("games:odds-set", kind_key, seed)


@require_safe
def questions(request: HttpRequest, kind_key: str, seed: int) -> HttpResponse:
    """One of the ten questions, the reply to its answer, or the score after all of them."""
    trainer = _trainer(kind_key)
    said = request.GET.get("said", "")
    if seed >= SEEDS or not _SAID.fullmatch(said):
        raise Http404
    goes_on = not said or "next" in request.GET
    answered = [
        (trainer.odds_question(seed, number), answer == "y")
        for number, answer in enumerate(said, start=1)
    ]
    context: dict[str, object] = {
        "key": kind_key,
        "SITE_NAME": words.site_name(kind_key),
        "most": QUESTIONS,
        "score": sum(asked.is_likely == answer for asked, answer in answered),
        "answered": len(said),
        "styles": trainer.STYLES,
        "question_template": f"{kind_key}/_odds_question.html",
    }
    if goes_on and len(said) == QUESTIONS:
        rows = [_row(asked, answer) for asked, answer in answered]
        return render(request, "learn/odds_score.html", context | {"rows": rows})
    here = reverse("games:odds-set", args=[kind_key, seed])
    if goes_on:
        asked = trainer.odds_question(seed, len(said) + 1)
        context |= {
            "number": len(said) + 1,
            "yes": f"{here}?said={said}y",
            "no": f"{here}?said={said}n",
            "answers": asked.answers,
        }
    else:
        asked, answer = answered[-1]
        context |= {
            "number": len(said),
            "reply": _row(asked, answer),
            "next": f"{here}?said={said}&next",
        }
    return render(request, "learn/odds.html", context | {"ask": asked.ask, "q": asked.values})


def _row(asked: OddsQuestion, answer: bool) -> dict[str, object]:
    """The values of an answer: whether it was right, and why."""
    return {
        "is_right": asked.is_likely == answer,
        "is_likely": asked.is_likely,
        "verdict": asked.verdict,
        "short": asked.short,
        "reason": asked.reason,
    }


def _trainer(key: str) -> Trainer:
    """The trainer of the game with this key. Raises Http404."""
    try:
        found = catalogue.of(key).trainer
    except KeyError as unknown:
        raise Http404 from unknown
    if found is None:
        raise Http404
    return found
