"""Guess first: the moments of a review as questions, one after the other; nothing is stored.

The address contains the choices: one digit each, the place of the button.
"""

from __future__ import annotations

import re
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import words
from games.contract import catalogue
from games.models import Game
from games.study.questions import guess_first
from games.study.review import review_page, reviews

_SAID: Final = re.compile(f"[0-9]{{0,{guess_first.MOST}}}")


@require_safe
def guess(request: HttpRequest, code: str) -> HttpResponse:
    """A question, the reply to its choice, or how many were right after all of them.

    For everybody who can see the review. Redirects there if it isn't stored yet or has nothing to
    ask about.
    """
    game = get_object_or_404(Game, code=code, status=Game.Status.FINISHED)
    if game.kind_key not in reviews.judges():
        raise Http404
    found = reviews.of_game(game)
    reader = review_page.reader_of(game, request.user)
    guesses = [] if found is None else guess_first.of_review(game, found, reader)
    if not guesses:
        return redirect("games:review", code)
    said = request.GET.get("said", "")
    if not _SAID.fullmatch(said) or len(said) > len(guesses):
        raise Http404
    chosen = [int(digit) for digit in said]
    if any(one >= len(each.choices) for one, each in zip(chosen, guesses, strict=False)):
        raise Http404
    right = [each.choices[one].is_right for one, each in zip(chosen, guesses, strict=False)]
    here = reverse("games:guess", args=[code])
    goes_on = not said or "next" in request.GET
    context: dict[str, object] = {
        "SITE_NAME": words.site_name(game.kind_key),
        "most": len(guesses),
        "score": sum(right),
        "review_url": reverse("games:review", args=[code]),
        "here": here,
    }
    if goes_on and len(said) == len(guesses):
        rows = zip(guesses, right, strict=True)
        context["rows"] = [guess_first.row(game, each, is_right=good) for each, good in rows]
        if catalogue.of(game.kind_key).trainer is not None:
            context["trainer_url"] = reverse("games:odds", args=[game.kind_key])
        return render(request, "games/guessed.html", context)
    number = len(said) + goes_on
    asked = guesses[number - 1]
    context |= {"number": number, "is_reader": asked.seat == reader}
    if goes_on:
        context |= guess_first.asked(game, asked) | {"said": said}
    else:
        context |= guess_first.answered(game, asked, chosen[-1], reader)
        context["next"] = f"{here}?said={said}&next"
    return render(request, "games/guess.html", context)
