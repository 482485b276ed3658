"""How often chance has thrown each outcome of a game: for oneself and for the whole site."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import words
from games.contract import catalogue
from games.study import fairness


@require_safe
def fair(request: HttpRequest, kind_key: str) -> HttpResponse:
    """What was thrown in all finished games. Raises Http404 for a game without such a count."""
    kind = next((each for each in catalogue.every() if each.key == kind_key), None)
    if kind is None or kind.throws is None:
        raise Http404
    context: dict[str, Any] = {
        "key": kind.key,
        "title": kind.throws.title(),
        "SITE_NAME": words.site_name(kind.key),
        "site": fairness.of_site(kind),
        "least": fairness.LEAST,
    }
    if request.user.is_authenticated:
        context["own"] = fairness.of_person(request.user, kind)
    return render(request, f"{kind.key}/fair.html", context)
