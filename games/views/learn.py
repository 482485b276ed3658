"""The rules and the tutorial of each game, and the pages on which to choose one.

Nothing of the tutorial is stored: the address says the step and the move that was made.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.old_addresses import sent_on
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
def rules_of(request: HttpRequest, kind_key: str) -> HttpResponse:
    """The rules of a game, in our own words."""
    kind = _find(kind_key)
    context = {
        **_context(kind),
        "turn_seconds": deadlines.turn_seconds(kind_key, kind.rules.SEATS.start),
        **kind.rules_page.context(),
    }
    return render(request, f"{kind_key}/rules.html", context)


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """The games to learn; where there is only one, its tutorial."""
    if not catalogue.has_several():
        return learn_of(request, catalogue.default().key)
    return render(request, "games/choose_learn.html", {"games": game_list.games()})


@require_safe
def learn_of(request: HttpRequest, kind_key: str) -> HttpResponse:
    """What the tutorial of a game is, and its steps."""
    kind = _find(kind_key)
    return render(request, f"{kind_key}/learn.html", _context(kind) | {"steps": _steps(kind)})


@require_safe
def finished(request: HttpRequest, kind_key: str) -> HttpResponse:
    """The end of a tutorial: off to a real table."""
    kind = _find(kind_key)
    return render(request, f"{kind_key}/learned.html", _context(kind) | {"steps": _steps(kind)})


def moved(request: HttpRequest, step: int | None = None) -> HttpResponse:
    """Send an address from before there were several games on to the first of them."""
    key = catalogue.default().key
    page = "learn-finished" if step is None else "learn-step"
    there = reverse(f"games:{page}", args=[key] if step is None else [key, step])
    return sent_on(request, there)


@require_http_methods(["GET", "HEAD", "POST"])
def step(request: HttpRequest, kind_key: str, step: int) -> HttpResponse:
    """One step: its question, or the answer to the move that the address names.

    A move comes as a POST, like at a table, and is sent on to the address of its answer.
    """
    kind = _find(kind_key)
    steps = _steps(kind)
    if not 1 <= step <= len(steps):
        raise Http404
    here = reverse("games:learn-step", args=[kind_key, step])
    if request.method == "POST":
        fields = kind.tutorial.FIELDS
        made = {name: request.POST.get(name, "")[:_LONGEST] for name in fields}
        return redirect(f"{here}?{urlencode(made)}")
    move = request.GET.dict() if "do" in request.GET else None
    page = kind.tutorial.step(step, move, user=request.user)
    following = (
        reverse("games:learn-step", args=[kind_key, step + 1])
        if step < len(steps)
        else reverse("games:learn-finished", args=[kind_key])
    )
    context = page | {
        "key": kind_key,
        "step": step,
        "steps": steps,
        "here": here,
        "next": following,
        "show": f"{here}?{urlencode(page['show'])}",
        "assets": kind.assets,
        "table_template": f"{kind.key}/_table.html",
        "own_template": f"{kind.key}/_lesson_own.html",
    }
    return render(request, "learn/step.html", context)


def _find(key: str) -> catalogue.GameKind:
    """The game of this key; Http404 when there is none."""
    try:
        return catalogue.of(key)
    except KeyError as unknown:
        raise Http404 from unknown


def _context(kind: catalogue.GameKind) -> dict[str, Any]:
    return {"key": kind.key, "name": kind.words.name(), "trains_odds": kind.trainer is not None}


def _steps(kind: catalogue.GameKind) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "title": title,
            "url": reverse("games:learn-step", args=[kind.key, number]),
        }
        for number, title in enumerate(kind.tutorial.titles(), start=1)
    ]
