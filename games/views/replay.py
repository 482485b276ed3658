"""The replay of a finished game, moment by moment, and its record to take away."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import catalogue
from games.models import Game
from games.rendering import finished, link_preview
from games.store import queries

Status = Game.Status


@require_safe
def replay(request: HttpRequest, code: str, moment: int = 1) -> HttpResponse:
    """One moment of a finished game, every hand open; the first one where none is named.

    A game that is not over sends the visitor to its table: there is nothing to look back on yet.
    """
    game = get_object_or_404(Game.objects.exclude(status=Status.CLOSED), code=code)
    if game.status != Status.FINISHED:
        messages.info(
            request, _("This game isn't over yet. You can watch the replay when it ends.")
        )
        return redirect("games:table", game.code)
    page = finished.moment(game, moment)
    if page is None:
        raise Http404
    seat = queries.seat_of(game, request.user)
    assets = catalogue.of(game.rules).assets
    context = page | {"assets": assets, "viewer": seat and seat.number}
    context |= link_preview.of_game(game).context(request, game)
    return render(request, "games/replay.html", context)


@require_safe
def record_text(request: HttpRequest, code: str) -> HttpResponse:
    """The record of a finished game, for people to read."""
    game = _finished(code)
    return _file(game, "txt", finished.record_text(game), "text/plain; charset=utf-8")


@require_safe
def record_json(request: HttpRequest, code: str) -> HttpResponse:
    """The record of a finished game, for programs."""
    game = _finished(code)
    return _file(game, "json", finished.record_json(game), "application/json")


def _finished(code: str) -> Game:
    return get_object_or_404(Game, code=code, status=Status.FINISHED)


def _file(game: Game, ending: str, content: str, kind: str) -> HttpResponse:
    # The name holds our own letters only: no player chose any of it.
    name = f"{game.rules}-{game.code}.{ending}"
    return HttpResponse(
        content,
        content_type=kind,
        headers={"Content-Disposition": content_disposition_header(True, name)},
    )
