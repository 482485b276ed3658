"""Deeds at a table: posts that answer with a notice, whether done or refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games import words
from games.models import Game
from games.refusal import Refused
from games.rules.contract import IllegalMove

Deed = Callable[[HttpRequest, Game], HttpResponse | None]


def deed(view: Deed) -> Callable[..., HttpResponse]:
    """A POST to a table: done or refused, it answers with a notice; the socket moves the screen.

    Without htmx the answer is the table's page again, with the refusal as a message. Who is not
    signed in comes back to the table from the page where he does that.
    """

    @require_POST
    @wraps(view)
    def answer(request: HttpRequest, code: str) -> HttpResponse:
        game = get_object_or_404(Game, code=code)
        if not request.user.is_authenticated:
            return sent(request, redirect_to_login(reverse("games:table", args=[code])))
        try:
            elsewhere = view(request, game)
        except (Refused, IllegalMove) as refused:
            return notice(request, game, words.reason(refused.code, refused.details))
        return elsewhere or notice(request, game, "")

    return answer


def notice(request: HttpRequest, game: Game, message: str) -> HttpResponse:
    """The answer to a deed; "" when it is done and there is nothing to say."""
    if _by_htmx(request):
        # 200 even for a refusal: htmx would not show any other answer.
        tone = "error" if message else ""
        return render(request, "games/_notice.html", {"message": message, "tone": tone})
    if message:
        messages.error(request, message)
    return redirect("games:table", game.code)


def go(request: HttpRequest, name: str, *arguments: Any) -> HttpResponse:
    return sent(request, redirect(name, *arguments))


def sent(request: HttpRequest, elsewhere: HttpResponse) -> HttpResponse:
    """A redirect of the whole page; htmx would follow a plain one and show it as a notice."""
    return HttpResponseClientRedirect(elsewhere["Location"]) if _by_htmx(request) else elsewhere


def _by_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"
