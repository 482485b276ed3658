"""The rules and the tutorial of a game.

Nothing of the tutorial is stored: the address says the step and the move that was made.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from games import catalogue

_LONGEST = 9  # letters of a field; what is longer is no move


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of the game, in our own words."""
    game = catalogue.default()
    context = {"turn_seconds": settings.TURN_SECONDS, **game.rules_page.context()}
    return render(request, f"{game.key}/rules.html", context)


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """What the tutorial is, and its steps."""
    game = catalogue.default()
    return render(request, f"{game.key}/learn.html", {"steps": _steps(game)})


@require_safe
def finished(request: HttpRequest) -> HttpResponse:
    """The end of the tutorial: off to a real table."""
    game = catalogue.default()
    return render(request, f"{game.key}/learned.html", {"steps": _steps(game)})


@require_http_methods(["GET", "HEAD", "POST"])
def step(request: HttpRequest, step: int) -> HttpResponse:
    """One step: its question, or the answer to the move that the address names.

    A move comes as a POST, like at a table, and is sent on to the address of its answer.
    """
    game = catalogue.default()
    steps = _steps(game)
    if not 1 <= step <= len(steps):
        raise Http404
    here = reverse("games:learn-step", args=[step])
    if request.method == "POST":
        fields = game.tutorial.FIELDS
        made = {name: request.POST.get(name, "")[:_LONGEST] for name in fields}
        return redirect(f"{here}?{urlencode(made)}")
    move = request.GET.dict() if "do" in request.GET else None
    page = game.tutorial.step(step, move, user=request.user)
    following = (
        reverse("games:learn-step", args=[step + 1])
        if step < len(steps)
        else reverse("games:learn-finished")
    )
    context = page | {
        "step": step,
        "steps": steps,
        "here": here,
        "next": following,
        "show": f"{here}?{urlencode(page['show'])}",
        "assets": game.assets,
        "table_template": f"{game.key}/_table.html",
        "own_template": f"{game.key}/_lesson_own.html",
    }
    return render(request, "learn/step.html", context)


def _steps(game: catalogue.Game) -> list[dict[str, Any]]:
    return [
        {"number": number, "title": title, "url": reverse("games:learn-step", args=[number])}
        for number, title in enumerate(game.tutorial.titles(), start=1)
    ]
