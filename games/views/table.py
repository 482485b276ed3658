"""The table: its page, the moves of a game and the deeds around it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from games import lobby, play, screens, words
from games.models import Game
from games.refusal import Refused
from games.rules import rules_of
from games.rules.contract import IllegalMove
from games.screens.perudo import milliseconds
from games.screens.told import rules_in_words

Deed = Callable[[HttpRequest, Game], HttpResponse | None]


@require_safe
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a table, for its seats and for anybody who has the address."""
    game = get_object_or_404(Game.objects.select_related("rematch", "host"), code=code)
    seat = lobby.seat_of(game, request.user)
    number = None if seat is None else seat.number
    context = {
        "title": gettext("The table of %(name)s – Perudo") % {"name": game.host.shown_name},
        "game": game,
        "viewer": number,
        "is_host": request.user.is_authenticated and request.user.pk == game.host_id,
        "seq": game.seq,
        "now_ms": milliseconds(timezone.now()),
        "table_html": screens.table(game),
        "own_html": screens.own(game, number, user=request.user),
        "ws_path": f"/ws/games/{game.code}?seen={game.seq}&lang={get_language()}",
        "rules": rules_in_words(game),
        "pace": words.pace(game.turn_seconds),
    }
    return render(request, "games/table.html", context)


def _deed(view: Deed) -> Callable[..., HttpResponse]:
    """A POST to a table: done or refused, it answers with a notice; the socket moves the screen.

    Without htmx the answer is the table's page again, with the refusal as a message. Who is not
    signed in comes back to the table from the page where he does that.
    """

    @require_POST
    @wraps(view)
    def answer(request: HttpRequest, code: str) -> HttpResponse:
        game = get_object_or_404(Game, code=code)
        if not request.user.is_authenticated:
            return _sent(request, redirect_to_login(reverse("games:table", args=[code])))
        try:
            elsewhere = view(request, game)
        except (Refused, IllegalMove) as refused:
            return _notice(request, game, words.reason(refused.code, refused.details))
        return elsewhere or _notice(request, game, "")

    return answer


def _notice(request: HttpRequest, game: Game, message: str) -> HttpResponse:
    if _by_htmx(request):
        # 200 even for a refusal: htmx would not show any other answer.
        tone = "error" if message else ""
        return render(request, "games/_notice.html", {"message": message, "tone": tone})
    if message:
        messages.error(request, message)
    return redirect("games:table", game.code)


def _go(request: HttpRequest, name: str, *arguments: Any) -> HttpResponse:
    return _sent(request, redirect(name, *arguments))


def _sent(request: HttpRequest, elsewhere: HttpResponse) -> HttpResponse:
    """A redirect of the whole page; htmx would follow a plain one and show it as a notice."""
    return HttpResponseClientRedirect(elsewhere["Location"]) if _by_htmx(request) else elsewhere


def _by_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


@_deed
def move(request: HttpRequest, game: Game) -> HttpResponse | None:
    """A bid, dudo, calza, a look at the dice, or leaving."""
    rules = rules_of(game.rules)
    number = _number_of(request, game)
    made = rules.parse(request.POST)
    leaving = made == rules.leave_move()
    seen = None if leaving else _seen(request)
    play.move(game.code, number, made, seen=seen, now=timezone.now())
    return _go(request, "games:home") if leaving else None


@_deed
def back(request: HttpRequest, game: Game) -> None:
    play.come_back(game.code, _number_of(request, game), now=timezone.now())


@_deed
def sit(request: HttpRequest, game: Game) -> HttpResponse:
    lobby.sit(game.code, request.user, now=timezone.now())
    return _go(request, "games:table", game.code)


@_deed
def stand(request: HttpRequest, game: Game) -> HttpResponse:
    lobby.stand(game.code, request.user, now=timezone.now())
    return _go(request, "games:home")


@_deed
def start(request: HttpRequest, game: Game) -> None:
    lobby.start(game.code, request.user, now=timezone.now())


@_deed
def close(request: HttpRequest, game: Game) -> HttpResponse:
    lobby.close(game.code, request.user, now=timezone.now())
    return _go(request, "games:home")


@_deed
def add_bot(request: HttpRequest, game: Game) -> None:
    kind = request.POST.get("kind", "")
    lobby.add_bot(game.code, request.user, kind=kind, now=timezone.now())


@_deed
def remove(request: HttpRequest, game: Game) -> None:
    number = _whole(request.POST.get("seat", ""))
    lobby.remove(game.code, request.user, number=number, now=timezone.now())


@_deed
def rematch(request: HttpRequest, game: Game) -> HttpResponse:
    again = lobby.rematch(game.code, request.user, now=timezone.now())
    return _go(request, "games:table", again.code)


def _number_of(request: HttpRequest, game: Game) -> int:
    if game.status == Game.Status.OPEN:  # seats close up at the start: a number would not last
        raise Refused("not_playing")
    seat = lobby.seat_of(game, request.user)
    if seat is None:
        raise Refused("not_seated")
    return seat.number


def _seen(request: HttpRequest) -> int:
    return _whole(request.POST.get("seen", ""))


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused("malformed")
    return int(text)
