"""The page of a table, and the list of its earlier rounds."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import words
from games.contract import catalogue
from games.models import Game
from games.play import next_seats
from games.play.ratings import verdict
from games.social.chat import rendering
from games.social.friends import invitation_list
from games.store import queries
from games.study.replay import replay_page
from games.table import frames
from games.table.common import rules_in_words
from games.views import guests, link_preview
from games.views.actions import is_htmx
from games.views.holder import home
from games.views.qr_code import qr_image


@require_safe
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a table, for its players and for everybody who has the link."""
    return page(request, get_object_or_404(Game.objects.select_related("host"), code=code))


def page(
    request: HttpRequest, game: Game, *, refused_name: Mapping[str, Any] | None = None
) -> HttpResponse:
    """The page of a table; its status is 422 if a name was refused.

    `refused_name` has the `name` and the `errors`, which are sentences to show beside it.
    """
    seat = queries.seat_of(game, request.user)
    number = None if seat is None else seat.number
    chat = rendering.panel(game, seat, user=request.user)
    shown = f"seen={game.seq}&heard={chat['etag']}&lang={get_language()}"
    kind = catalogue.of(game.kind_key)
    address = request.build_absolute_uri(shared_path(game))
    is_open = is_joined_by_link(game)
    context = {
        "game": game,
        "SITE_NAME": words.site_name(game.kind_key),
        "this_table": game.code,
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
        "invite": address,
        "qr": qr_image(address) if is_open else None,
        "is_open": is_open,
        "refused_name": refused_name,
        "proposed_name": guests.proposal(request, game) if is_open else "",
        "tagline": kind.words.tagline(),
        "from_moment": _from_moment(game) if seat is not None else "",
        "is_home_taken": number is None and verdict.is_taken(game, home(request)),
        "wishes": next_seats.has_asked(game, request.user),
    }
    context |= link_preview.of_game(game).context(request, game)
    context |= invitation_list.context(request.user, game, now=timezone.now())
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused_name else HTTPStatus.OK
    return render(request, "games/table.html", context, status=status)


def _from_moment(game: Game) -> str:
    """The address of the moment that is tried again at this table; "" at other tables."""
    if game.from_game is None or game.from_moment is None:
        return ""
    return replay_page.address(game.from_game, game.from_moment)


def is_joined_by_link(game: Game) -> bool:
    """Whether people can join by the link: the table is open and not a quick one."""
    return game.status == Game.Status.OPEN and game.origin != Game.Origin.QUICK


def shared_path(game: Game) -> str:
    """The path to share as an invitation: of the standing table if there is one."""
    if game.standing is not None:
        return reverse("games:standing", args=[game.standing.word])
    return reverse("games:table", args=[game.code])


@require_safe
@never_cache
def rounds(request: HttpRequest, code: str) -> HttpResponse:
    """The fragment of the rounds already played, loaded when their list is opened on the page."""
    game = get_object_or_404(Game, code=code)
    if not is_htmx(request):
        return redirect("games:table", code)
    return HttpResponse(frames.story(game))
