"""The replay of a finished game, moment by moment, and its record to take away."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_safe

from games import catalogue
from games.chat import rendering as chat
from games.models import Game
from games.questions import decisions
from games.rendering import (
    finished,
    fragment_cache,
    link_preview,
    replay_address,
    replay_page,
    replay_viewing,
)
from games.rendering.replay_bar import BATCH
from games.store import queries
from games.trying import services as trying

Status = Game.Status
_KEPT_SECONDS: Final = 600


@require_safe
def replay(request: HttpRequest, code: str, moment: int | None = None) -> HttpResponse:
    """One moment of a finished game, every hand open; the first one where none is named.

    A game that is not over sends the visitor to its table: there is nothing to look back on yet.
    So does one that was closed, whose table says so.
    """
    game = get_object_or_404(Game, code=code)
    if game.status != Status.FINISHED:
        if game.status != Status.CLOSED:
            messages.info(
                request, _("This game isn't over yet. You can watch the replay when it ends.")
            )
        return redirect("games:table", game.code)
    seat = queries.seat_of(game, request.user)
    at = request.GET.get("at") if moment is None else None
    if at in (replay_address.DECISION, replay_address.MINE):
        own = seat.number if seat and at == replay_address.MINE else None
        return redirect(replay_page.address(game, replay_page.decision(game, own)))
    number = 1 if moment is None else moment
    viewing = replay_viewing.from_query(request.GET, game)
    if viewing is None:
        raise Http404
    page = finished.moment(game, number, viewing)
    if page is None:
        raise Http404
    kind = catalogue.of(game.kind_key)
    context = page | {"assets": kind.assets, "viewer": seat and seat.number}
    context["reviewed"] = kind.review is not None
    if seat is not None and viewing.only != seat.number:
        context["url_mine"] = page["whose"]["seats"][seat.number]["url_only"]
    until = page["moment"]["until"]
    context["talk_html"] = chat.messages_until(game, until, user=request.user)
    context["talks"] = bool(context["talk_html"]) or chat.was_used(game)
    context |= link_preview.of_game(game).context(request, game)
    if request.user.is_authenticated and queries.is_open_to(game, request.user):
        context["asks"] = {"here": decisions.of_game(game, number) is not None}
    if trying.is_offered(game, request.user):
        there = kind.replay.moments(game)
        context["tries"] = {"here": trying.has_decision(kind, there, number)}
    return render(request, "games/replay.html", context)


@require_safe
def moments(request: HttpRequest, code: str, seq: int, first: int) -> HttpResponse:
    """Some moments of a finished game from `first` on, for the script of a page of this `seq`.

    They are the same for all who ask: no session is read, and the language and a tag of the names
    are part of the address, so that they may be kept, by everybody where the table was listed for
    everybody.
    """
    game = _finished(code)
    if not game.deal_seq < seq <= game.seq:  # a rematch counts it on while pages are read
        raise Http404
    viewing = replay_viewing.from_query(request.GET, game)
    language = request.GET.get("in")
    if viewing is None or language not in dict(settings.LANGUAGES) or first % BATCH != 1:
        raise Http404
    with override(language):
        pages = finished.moments(game, first, viewing)
        html = "".join(fragment_cache.plain("games/_replay_moment.html", page) for page in pages)
    if not pages:
        raise Http404
    kept_by = "public" if game.listed else "private"
    return HttpResponse(html, headers={"Cache-Control": f"{kept_by}, max-age={_KEPT_SECONDS}"})


moments.same_for_all = True  # type: ignore[attr-defined]  # see perudo_site/middleware.py


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
    name = f"{game.kind_key}-{game.code}.{ending}"
    return HttpResponse(
        content,
        content_type=kind,
        headers={"Content-Disposition": content_disposition_header(True, name)},
    )
