"""Decorators for POSTs to a table: they find the game and answer with a notice."""

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

from games import words
from games.core.contract import IllegalMove
from games.errors import Refused
from games.models import Game, Seat
from games.play import move_log
from games.store import queries

TableAction = Callable[[HttpRequest, Game], HttpResponse | None]
SeatAction = Callable[[HttpRequest, Game, Seat], HttpResponse | None]


def table_action(view: TableAction) -> Callable[..., HttpResponse]:
    """A POST to a table by a signed-in user; the view gets the game as the database has it.

    The view returns None for the usual answer, an empty notice: the page is updated by its socket.
    An IllegalMove or Refused becomes a notice with its reason; without htmx, a message on the
    table's page. Visitors are sent to sign in, and come back to the table.
    """

    def find(request: HttpRequest, code: str) -> tuple[Game | None, tuple[()]]:
        return Game.objects.filter(code=code).first(), ()

    return _action(view, find)


def seat_action(view: SeatAction) -> Callable[..., HttpResponse]:
    """Like `table_action`, for the players of a game that has begun; the view gets their seat too.

    Both may come from this process's cache: the functions of `games.play.commands` check again
    whatever may have changed. Refused: `not_playing`, `not_seated`.
    """

    def find(request: HttpRequest, code: str) -> tuple[Game | None, tuple[Seat | None]]:
        game, seat = queries.find(code, request.user)
        return game, (seat,)

    @wraps(view)
    def require_seat(request: HttpRequest, game: Game, seat: Seat | None) -> HttpResponse | None:
        if game.status == Game.Status.OPEN:  # seats are renumbered at the start
            raise Refused("not_playing")
        if seat is None:
            raise Refused("not_seated")
        return view(request, game, seat)

    return _action(require_seat, find)


def _action(
    view: Callable[..., HttpResponse | None],
    find: Callable[[HttpRequest, str], tuple[Game | None, tuple[Any, ...]]],
) -> Callable[..., HttpResponse]:
    @require_POST
    @wraps(view)
    def answer(request: HttpRequest, code: str) -> HttpResponse:
        game, found = find(request, code)
        if game is None:
            raise Http404
        if not request.user.is_authenticated:
            return whole_page(request, redirect_to_login(reverse("games:table", args=[code])))
        try:
            response = view(request, game, *found)
        except (Refused, IllegalMove) as error:
            move_log.refused(game.code, view.__name__, error.code)
            why = words.reason(error.code, error.details, game_key=game.rules)
            return notice(request, game, why)
        return response or notice(request, game, "")

    return answer


def notice(request: HttpRequest, game: Game, message: str) -> HttpResponse:
    """The answer to an action: an error message, or "" for success."""
    if is_htmx(request):
        # 200 also for an error: htmx does not show any other response.
        context = {"message": message, "tone": "error"}
        return render(request, "games/_notice.html", context) if message else HttpResponse()
    if message:
        messages.error(request, message)
    return redirect("games:table", game.code)


def go(request: HttpRequest, name: str, *arguments: Any) -> HttpResponse:
    """Send the browser to the page with this URL name."""
    return whole_page(request, redirect(name, *arguments))


def whole_page(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """A redirect of the whole page; htmx would swap the target of a plain one into a fragment."""
    return HttpResponseClientRedirect(response["Location"]) if is_htmx(request) else response


def is_htmx(request: HttpRequest) -> bool:
    """Whether htmx made this request and swaps the response into a page."""
    return request.headers.get("HX-Request") == "true"
