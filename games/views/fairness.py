"""The page that tells what proves the draws of a game, while it runs and when it is over."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.models import Game
from games.store import proofs


@require_safe
def fairness(request: HttpRequest, code: str) -> HttpResponse:
    """The seal of a game, and how to check its draws: the same for everybody who has the link."""
    game = get_object_or_404(Game, code=code)
    context = {
        "game": game,
        "seal": proofs.seal(game),
        "is_over": game.status == Game.Status.FINISHED,
        "record": reverse("games:record-json", args=[game.code]),
    }
    return render(request, "games/fairness.html", context)
