"""The table: its page, the moves of a game and the deeds around it."""

from __future__ import annotations

from contextlib import suppress

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import lobby, play, screens, tables
from games.models import Game
from games.refusal import Refused
from games.rules import rules_of
from games.screens import talk
from games.screens.told import rules_in_words
from games.views.deeds import InPlay, by_htmx, deed, go, in_play
from games.views.lobby import may_open


@require_safe
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a table, for its seats and for anybody who has the address."""
    game = get_object_or_404(Game.objects.select_related("host"), code=code)
    seat = tables.seat_of(game, request.user)
    number = None if seat is None else seat.number
    heard = talk.panel(game, seat, user=request.user)
    sight = f"seen={game.seq}&heard={heard['mark']}&lang={get_language()}"
    context = {
        "game": game,
        "viewer": number,
        "is_host": request.user.is_authenticated and request.user.pk == game.host_id,
        "table_html": screens.table(game),
        "own_html": screens.own(game, number, user=request.user),
        "earlier": screens.perudo.last_earlier_round(game),
        "story_html": screens.story(game),
        "talk": heard,
        "ws_path": f"/ws/games/{game.code}?{sight}",
        "rules": rules_in_words(game),
    }
    return render(request, "games/table.html", context)


@require_safe
@never_cache
def rounds(request: HttpRequest, code: str) -> HttpResponse:
    """The rounds already played, for the page of a table where somebody reads them."""
    game = get_object_or_404(Game, code=code)
    if not by_htmx(request):
        return redirect("games:table", code)
    return HttpResponse(screens.story(game))


@in_play
def move(request: InPlay, game: Game) -> HttpResponse | None:
    """A bid, dudo, calza, a look at the dice, or leaving."""
    rules = rules_of(game.rules)
    number = _number_of(request, game)
    made = rules.parse(request.POST)
    leaving = made == rules.leave_move()
    seen = None if leaving else _seen(request)
    play.move(game.code, number, made, seen=seen, now=timezone.now())
    return go(request, "games:home") if leaving else None


@in_play
def back(request: InPlay, game: Game) -> None:
    play.come_back(game.code, _number_of(request, game), now=timezone.now())


@in_play
def skip(request: InPlay, game: Game) -> None:
    """Somebody who is out wants the bots to play to the end without pauses."""
    number = _number_of(request, game)
    if not ratelimit.consume(request, action="skip"):
        raise Refused("too_many_skips")
    play.skip_to_the_end(game.code, number, now=timezone.now())


@in_play
def new_game(request: InPlay, game: Game) -> HttpResponse:
    """A new game against the same bots; the old one need not wait for somebody who goes."""
    number, now = _number_of(request, game), timezone.now()
    may_open(request)
    again = lobby.play_again(game.code, request.user, now=now)
    with suppress(Refused):
        play.skip_to_the_end(game.code, number, now=now)
    return go(request, "games:table", again.code)


@deed
def sit(request: HttpRequest, game: Game) -> HttpResponse:
    lobby.sit(game.code, request.user, now=timezone.now())
    return go(request, "games:table", game.code)


@deed
def stand(request: HttpRequest, game: Game) -> HttpResponse:
    lobby.stand(game.code, request.user, now=timezone.now())
    return go(request, "games:home")


@deed
def start(request: HttpRequest, game: Game) -> None:
    lobby.start(game.code, request.user, now=timezone.now())


@deed
def close(request: HttpRequest, game: Game) -> HttpResponse:
    lobby.close(game.code, request.user, now=timezone.now())
    return go(request, "games:home")


@deed
def add_bot(request: HttpRequest, game: Game) -> None:
    kind = request.POST.get("kind", "")
    lobby.add_bot(game.code, request.user, kind=kind, now=timezone.now())


@deed
def remove(request: HttpRequest, game: Game) -> None:
    number = _whole(request.POST.get("seat", ""))
    lobby.remove(game.code, request.user, number=number, now=timezone.now())


@deed
def rematch(request: HttpRequest, game: Game) -> HttpResponse:
    may_open(request)
    again = lobby.rematch(game.code, request.user, now=timezone.now())
    return go(request, "games:table", again.code)


def _number_of(request: InPlay, game: Game) -> int:
    if game.status == Game.Status.OPEN:  # seats close up at the start: a number would not last
        raise Refused("not_playing")
    if request.seat is None:
        raise Refused("not_seated")
    return request.seat.number


def _seen(request: HttpRequest) -> int:
    return _whole(request.POST.get("seen", ""))


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused("malformed")
    return int(text)
