"""A player of a finished game would have believed a bold claim too, or no longer."""

from __future__ import annotations

from allauth.core import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.models import Game
from games.study.review import beliefs
from games.views.actions import is_htmx
from games.views.signing_in import goes_on_after_signing_in


@require_http_methods(["GET", "HEAD", "POST"])
def believe(request: HttpRequest, code: str, moment: int) -> HttpResponse:
    """Show a bold claim at its moment; a POST believes it, or with `do=not` takes it back, which
    only other players of the game may.

    A script gets the claim anew, for the place in which it was pressed and, if there is one
    `beside`, for the other; a browser is sent to the review at this moment.
    """
    game = get_object_or_404(Game, code=code, status=Game.Status.FINISHED)
    review = f"{reverse('games:review', args=[code])}?at={moment}"
    is_post = request.method == "POST"
    if is_post and not request.user.is_authenticated:
        return goes_on_after_signing_in(request, otherwise=review)
    found = beliefs.find(game, moment, request.user)
    if found is None or (is_post and not found.press_url):
        raise Http404
    if is_post:
        assert request.user.is_authenticated  # noqa: S101  # see above
        if not ratelimit.consume(request, action="believe"):
            return ratelimit.respond_429(request)
        believes = request.POST.get("do") != "not"
        beliefs.press(game, moment, request.user, believes=believes, now=timezone.now())
    if not is_htmx(request):
        return redirect(f"{review}#claim-{moment}")
    if not is_post:
        return render(request, "games/_claim_here.html", {"each": found})
    claim = beliefs.find(game, moment, request.user)
    context = {"each": claim, "at": request.POST.get("at"), "beside": "beside" in request.POST}
    return render(request, "games/_claim_pressed.html", context)
