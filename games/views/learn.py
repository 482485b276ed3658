"""The rules and the tutorial of each game, and the pages on which to choose one.

Nothing of the tutorial is stored: the address says the step and the move that was made.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from games import catalogue
from games.play import deadlines
from games.rendering import game_list

_LONGEST = 9  # letters of a field; what is longer is no move


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The games to read about; where there is only one, its rules."""
    if not catalogue.has_several():
        return rules_of(request, catalogue.default().key)
    return render(request, "games/choose_rules.html", {"games": game_list.games()})


@require_safe
def rules_of(request: HttpRequest, game_key: str) -> HttpResponse:
    """The rules of a game, in our own words."""
    game = _find(game_key)
    context = {
        **_context(game),
        "turn_seconds": deadlines.turn_seconds(game_key, game.rules.SEATS.start),
        **game.rules_page.context(),
    }
    return render(request, f"{game_key}/rules.html", context)


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """The games to learn; where there is only one, its tutorial."""
    if not catalogue.has_several():
        return learn_of(request, catalogue.default().key)
    return render(request, "games/choose_learn.html", {"games": game_list.games()})


@require_safe
def learn_of(request: HttpRequest, game_key: str) -> HttpResponse:
    """What the tutorial of a game is, and its steps."""
    game = _find(game_key)
    return render(request, f"{game_key}/learn.html", _context(game) | {"steps": _steps(game)})


@require_safe
def finished(request: HttpRequest, game_key: str) -> HttpResponse:
    """The end of a tutorial: off to a real table."""
    game = _find(game_key)
    return render(request, f"{game_key}/learned.html", _context(game) | {"steps": _steps(game)})


def moved(request: HttpRequest, step: int | None = None) -> HttpResponse:
    """Send an address from before there were several games on to the first of them."""
    key = catalogue.default().key
    page = "learn-finished" if step is None else "learn-step"
    there = reverse(f"games:{page}", args=[key] if step is None else [key, step])
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(
        f"{there}?{query}" if query else there, preserve_request=True
    )


@require_http_methods(["GET", "HEAD", "POST"])
def step(request: HttpRequest, game_key: str, step: int) -> HttpResponse:
    """One step: its question, or the answer to the move that the address names.

    A move comes as a POST, like at a table, and is sent on to the address of its answer.
    """
    game = _find(game_key)
    steps = _steps(game)
    if not 1 <= step <= len(steps):
        raise Http404
    here = reverse("games:learn-step", args=[game_key, step])
    if request.method == "POST":
        fields = game.tutorial.FIELDS
        made = {name: request.POST.get(name, "")[:_LONGEST] for name in fields}
        return redirect(f"{here}?{urlencode(made)}")
    move = request.GET.dict() if "do" in request.GET else None
    page = game.tutorial.step(step, move, user=request.user)
    following = (
        reverse("games:learn-step", args=[game_key, step + 1])
        if step < len(steps)
        else reverse("games:learn-finished", args=[game_key])
    )
    context = page | {
        "key": game_key,
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


def _find(key: str) -> catalogue.Game:
    """The game of this key; Http404 when there is none."""
    try:
        return catalogue.of(key)
    except KeyError as unknown:
        raise Http404 from unknown


def _context(game: catalogue.Game) -> dict[str, Any]:
    return {"key": game.key, "name": game.words.name()}


def _steps(game: catalogue.Game) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "title": title,
            "url": reverse("games:learn-step", args=[game.key, number]),
        }
        for number, title in enumerate(game.tutorial.titles(), start=1)
    ]
