"""Questions: asking about a decision in a replay, and the page on which others choose."""

from __future__ import annotations

from urllib.parse import urlencode

from allauth.core import ratelimit
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import words
from games.errors import Refused
from games.models import Game
from games.questions import services
from games.rendering import link_preview, question_page
from games.views.signing_in import goes_on_after_signing_in


@require_POST
def ask(request: HttpRequest, code: str) -> HttpResponse:
    """Make the question about the decision that a moment of a replay shows, and go to its page.

    Whoever was signed out meanwhile signs in first.
    """
    game = get_object_or_404(Game, code=code)
    text = request.POST.get("moment", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0
    if not request.user.is_authenticated:
        return goes_on_after_signing_in(request, otherwise=_back(game, number))
    if not ratelimit.consume(request, action="question"):
        return ratelimit.respond_429(request)
    try:
        named = "nameless" not in request.POST
        found = services.ask(game, number, request.user, named=named, now=timezone.now())
    except Refused as refused:
        messages.error(request, words.reason(refused.code, refused.details))
        return redirect(_back(game, number))
    messages.success(request, _("Here's your question. Send its link to friends."))
    return redirect(f"{reverse('games:question', args=[found.word])}?asked")


def _back(game: Game, number: int) -> str:
    if game.status == Game.Status.FINISHED and number:
        return reverse("games:moment", args=[game.code, number])
    return reverse("games:replay", args=[game.code])


@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, asked: str) -> HttpResponse:
    """A decision as its player saw it, or what came of it once somebody has chosen.

    A choice comes as a POST, like at a table, and is sent on to the address of its answer; nothing
    is stored.
    """
    there = services.find(asked)
    if there is None:
        raise Http404
    found, decision = there
    here = reverse("games:question", args=[found.word])
    if request.method == "POST":
        return redirect(f"{here}?{urlencode(decision.fields_of(request.POST))}")
    fields = request.GET.dict() if "do" in request.GET else None
    context = question_page.page(found, decision, fields) | {"here": here}
    context["just_asked"] = fields is None and "asked" in request.GET
    context |= link_preview.of_decision(decision, found.game).context(request, question=found)
    return render(request, "questions/question.html", context)
