"""A player of a finished game would have believed a bold claim too, or no longer."""

from __future__ import annotations

from allauth.core import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from games.models import Game
from games.study.review import beliefs
from games.views.actions import is_htmx
from games.views.signing_in import goes_on_after_signing_in


@require_POST
def believe(request: HttpRequest, code: str, moment: int) -> HttpResponse:
    """Believe the claim of this moment, or with `do=not` take it back; only for other players of
    the game.

    A script gets the claim anew, a browser the review at this moment.
    """
    game = get_object_or_404(Game, code=code, status=Game.Status.FINISHED)
    review = f"{reverse('games:review', args=[code])}?at={moment}"
    if not request.user.is_authenticated:
        return goes_on_after_signing_in(request, otherwise=review)
    found = beliefs.find(game, moment, request.user)
    if found is None or not found.press_url:
        raise Http404
    if not ratelimit.consume(request, action="believe"):
        return ratelimit.respond_429(request)
    believes = request.POST.get("do") != "not"
    beliefs.press(game, moment, request.user, believes=believes, now=timezone.now())
    if not is_htmx(request):
        return redirect(f"{review}#claim-{moment}")
    claim = beliefs.find(game, moment, request.user)
    return render(request, "games/_claim.html", {"each": claim, "pressed": True})
