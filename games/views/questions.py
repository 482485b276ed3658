"""Questions: creating one about a decision in a replay, and the page on which others answer."""

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
from games.core.numbers import whole_number
from games.errors import Refused
from games.models import Game
from games.study.questions import question_links, question_page
from games.views import link_preview
from games.views.signing_in import goes_on_after_signing_in


@require_POST
def ask(request: HttpRequest, code: str) -> HttpResponse:
    """Create a question about the decision at a moment of a replay, and redirect to its page.

    People who have been signed out meanwhile sign in first.
    """
    game = get_object_or_404(Game, code=code)
    number = whole_number(request.POST.get("moment", ""), digits=6) or 0
    if not request.user.is_authenticated:
        return goes_on_after_signing_in(request, otherwise=_back(game, number))
    if not ratelimit.consume(request, action="question"):
        return ratelimit.respond_429(request)
    try:
        named = "nameless" not in request.POST
        found = question_links.ask(game, number, request.user, named=named, now=timezone.now())
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
    """The page of a question: the decision as its player saw it, or after a choice its answer.

    A choice is a POST, as at a table, and is redirected to the address of its answer; nothing is
    stored.
    """
    there = question_links.find(asked)
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
