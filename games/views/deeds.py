"""Deeds at a table: posts that answer with a notice, whether done or refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games import journal, tables, words
from games.core.contract import IllegalMove
from games.models import Game, Seat
from games.refusal import Refused


class InPlay(HttpRequest):
    """A request to a game by somebody at the table; `seat` is None for everybody else."""

    seat: Seat | None


Deed = Callable[[Any, Game], HttpResponse | None]
Find = Callable[[Any, str], Game | None]


def deed(view: Deed) -> Callable[..., HttpResponse]:
    """A POST to a table: done or refused, it answers with a notice; the socket moves the screen.

    Without htmx the answer is the table's page again, with the refusal as a message. Who is not
    signed in comes back to the table from the page where he does that.
    """
    return _answering(view, lambda request, code: Game.objects.filter(code=code).first())


def in_play(view: Deed) -> Callable[..., HttpResponse]:
    """A deed that goes through a door of `play`: the game may be the one this process remembers."""

    def find(request: InPlay, code: str) -> Game | None:
        game, request.seat = tables.find(code, request.user)
        return game

    return _answering(view, find)


def _answering(view: Deed, find: Find) -> Callable[..., HttpResponse]:
    @require_POST
    @wraps(view)
    def answer(request: HttpRequest, code: str) -> HttpResponse:
        game = find(request, code)
        if game is None:
            raise Http404
        if not request.user.is_authenticated:
            return sent(request, redirect_to_login(reverse("games:table", args=[code])))
        try:
            elsewhere = view(request, game)
        except (Refused, IllegalMove) as refused:
            journal.refused(game.code, view.__name__, refused.code)
            return notice(request, game, words.reason(refused.code, refused.details))
        return elsewhere or notice(request, game, "")

    return answer


def notice(request: HttpRequest, game: Game, message: str) -> HttpResponse:
    """The answer to a deed; "" when it is done and there is nothing to say."""
    if by_htmx(request):
        # 200 even for a refusal: htmx would not show any other answer.
        notice = {"message": message, "tone": "error"}
        return render(request, "games/_notice.html", notice) if message else HttpResponse()
    if message:
        messages.error(request, message)
    return redirect("games:table", game.code)


def go(request: HttpRequest, name: str, *arguments: Any) -> HttpResponse:
    return sent(request, redirect(name, *arguments))


def sent(request: HttpRequest, elsewhere: HttpResponse) -> HttpResponse:
    """A redirect of the whole page; htmx would follow a plain one and show it as a notice."""
    return HttpResponseClientRedirect(elsewhere["Location"]) if by_htmx(request) else elsewhere


def by_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"
