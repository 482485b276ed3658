"""The page of a table, the moves of its game, and the actions before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import catalogue, words
from games.chat import rendering
from games.errors import Refused
from games.models import Game, Seat
from games.play import before_start, commands, pausing, rematches
from games.rendering import frames, link_preview
from games.rendering.common import rules_in_words
from games.rendering.qr_code import qr_image
from games.store import queries
from games.views.actions import go, is_htmx, seat_action, table_action
from games.views.holder import holder
from games.views.lobby import may_open


@require_safe
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a table, for its players and for anybody who has the link."""
    return page(request, get_object_or_404(Game.objects.select_related("host"), code=code))


def page(
    request: HttpRequest, game: Game, *, refused_name: Mapping[str, Any] | None = None
) -> HttpResponse:
    """The page of a table; status 422 with a name that its reader chose and may not have.

    `refused_name` has the `name` and the `errors`, sentences to show beside it.
    """
    seat = queries.seat_of(game, request.user)
    number = None if seat is None else seat.number
    chat = rendering.panel(game, seat, user=request.user)
    shown = f"seen={game.seq}&heard={chat['etag']}&lang={get_language()}"
    kind = catalogue.of(game.rules)
    address = request.build_absolute_uri(reverse("games:table", args=[game.code]))
    is_open = game.status == Game.Status.OPEN
    context = {
        "game": game,
        "assets": kind.assets,
        "viewer": number,
        "is_host": request.user.is_authenticated and request.user.pk == game.host_id,
        "table_html": frames.table(game),
        "own_html": frames.own(game, number, user=request.user),
        "earlier": kind.presenter.last_earlier_round(game),
        "story_html": frames.story(game),
        "talk": chat,
        "ws_path": f"/ws/games/{game.code}?{shown}",
        "rules": rules_in_words(game),
        "qr": qr_image(address) if is_open else None,
        "is_open": is_open,
        "refused_name": refused_name,
    }
    context |= link_preview.of_game(game).context(request, game)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused_name else HTTPStatus.OK
    return render(request, "games/table.html", context, status=status)


@require_safe
@never_cache
def rounds(request: HttpRequest, code: str) -> HttpResponse:
    """The rounds already played, loaded when their list is opened on the page of a table."""
    game = get_object_or_404(Game, code=code)
    if not is_htmx(request):
        return redirect("games:table", code)
    return HttpResponse(frames.story(game))


@seat_action
def move(request: HttpRequest, game: Game, seat: Seat) -> HttpResponse | None:
    """A move of the game, or leaving it."""
    rules = catalogue.of(game.rules).rules
    made = rules.parse(request.POST)
    is_leaving = made == rules.leave_move()
    seen = None if is_leaving else _seen(request)
    try:
        commands.move(game.code, seat.number, made, seen=seen, now=timezone.now())
    except Refused as refused:
        if refused.code == "paused":  # a page without a socket looks by this alone
            pausing.look(game, now=timezone.now())
        raise
    return go(request, "games:home") if is_leaving else None


@seat_action
def back(request: HttpRequest, game: Game, seat: Seat) -> None:
    """Take the seat back from the bot that plays for an absent player."""
    commands.come_back(game.code, seat.number, now=timezone.now())


@seat_action
def skip(request: HttpRequest, game: Game, seat: Seat) -> None:
    """Agree to let the bots play to the end without pauses, for a player who is out."""
    if not ratelimit.consume(request, action="skip"):
        raise Refused("too_many_skips")
    commands.skip_to_the_end(game.code, seat.number, now=timezone.now())


@seat_action
def new_game(request: HttpRequest, game: Game, seat: Seat) -> HttpResponse:
    """A new game against the same bots; the old one does not wait for a player who goes."""
    now = timezone.now()
    may_open(request)
    again = rematches.play_again(game.code, request.user, holder=holder(request), now=now)
    with suppress(Refused):
        commands.skip_to_the_end(game.code, seat.number, now=now)
    return go(request, "games:table", again.code)


@table_action
def sit(request: HttpRequest, game: Game) -> HttpResponse:
    """Join an open table."""
    before_start.sit(game.code, request.user, now=timezone.now())
    return go(request, "games:table", game.code)


@table_action
def stand(request: HttpRequest, game: Game) -> HttpResponse:
    """Leave an open table."""
    before_start.stand(game.code, request.user, now=timezone.now())
    return go(request, "games:home")


@table_action
def start(request: HttpRequest, game: Game) -> None:
    """Start the game, as its host."""
    before_start.start(game.code, request.user, holder=holder(request), now=timezone.now())


@table_action
def close(request: HttpRequest, game: Game) -> HttpResponse:
    """Close an open table, as its host."""
    before_start.close(game.code, request.user, now=timezone.now())
    return go(request, "games:home")


@table_action
def add_bot(request: HttpRequest, game: Game) -> None:
    """Seat a bot, as the host."""
    kind = request.POST.get("kind", "")
    before_start.add_bot(game.code, request.user, kind=kind, now=timezone.now())


@table_action
def remove(request: HttpRequest, game: Game) -> None:
    """Free the seat of another player or a bot, as the host."""
    number = _whole(request.POST.get("seat", ""))
    before_start.remove(game.code, request.user, number=number, now=timezone.now())


@table_action
def rematch(request: HttpRequest, game: Game) -> HttpResponse:
    """Open the next table of the same players, or join it; else say why not, on its page."""
    opened = rematches.next_table(game)
    if opened is None:
        may_open(request)
    now, held_by = timezone.now(), holder(request)
    try:
        again = rematches.rematch(game.code, request.user, holder=held_by, now=now)
    except Refused as refused:
        if opened is None or refused.code == "not_seated":
            raise
        # There they can watch, which here they could not.
        messages.error(request, words.reason(refused.code, refused.details))
        again = opened
    return go(request, "games:table", again.code)


def _seen(request: HttpRequest) -> int:
    """The version of the game that the page showed. Refused: `malformed`."""
    return _whole(request.POST.get("seen", ""))


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused("malformed")
    return int(text)
