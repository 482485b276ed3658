"""The rules and the tutorial of each game, and the pages for choosing a game.

The tutorial stores nothing: the address contains the step and the move that was made.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.old_addresses import sent_on
from games import words
from games.contract import catalogue
from games.lobby import game_list
from games.play import deadlines

_LONGEST = 9  # characters; no move has a longer field


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The games to read about; if there is only one, its rules."""
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
    """The games to learn; if there is only one, its tutorial."""
    if not catalogue.has_several():
        return learn_of(request, catalogue.default().key)
    return render(request, "games/choose_learn.html", {"games": game_list.games()})


@require_safe
def learn_of(request: HttpRequest, kind_key: str) -> HttpResponse:
    """The introduction to the tutorial of a game, with its steps."""
    kind = _find(kind_key)
    return render(request, f"{kind_key}/learn.html", _context(kind) | {"steps": _steps(kind)})


@require_safe
def finished(request: HttpRequest, kind_key: str) -> HttpResponse:
    """The last page of a tutorial, which leads to a real table."""
    kind = _find(kind_key)
    return render(request, f"{kind_key}/learned.html", _context(kind) | {"steps": _steps(kind)})


def moved(request: HttpRequest, step: int | None = None) -> HttpResponse:
    """Redirect an address without a game, from earlier versions, to the default game."""
    key = catalogue.default().key
    page = "learn-finished" if step is None else "learn-step"
    there = reverse(f"games:{page}", args=[key] if step is None else [key, step])
    return sent_on(request, there)


@require_http_methods(["GET", "HEAD", "POST"])
def step(request: HttpRequest, kind_key: str, step: int) -> HttpResponse:
    """A step of a tutorial: its question, or the answer to the move in the address.

    A move is a POST, as at a table, and is redirected to the address of its answer.
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
        "SITE_NAME": words.site_name(kind_key),
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
    """The game with this key. Raises Http404."""
    try:
        return catalogue.of(key)
    except KeyError as unknown:
        raise Http404 from unknown


def _context(kind: catalogue.GameKind) -> dict[str, object]:
    return {
        "key": kind.key,
        "name": kind.words.name(),
        "SITE_NAME": words.site_name(kind.key),
        "trains_odds": kind.trainer is not None,
    }


def _steps(kind: catalogue.GameKind) -> list[dict[str, object]]:
    return [
        {
            "number": number,
            "title": title,
            "url": reverse("games:learn-step", args=[kind.key, number]),
        }
        for number, title in enumerate(kind.tutorial.titles(), start=1)
    ]
