"""The review of a finished game: a fragment of its replay, or a page of its own."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from allauth.core.internal import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.models import Game
from games.play import worker
from games.rendering import replay_page, replay_viewing, review_page
from games.rendering.replay_viewing import Viewing
from games.review import services
from games.trying import services as trying
from games.views.actions import is_htmx

# How long a page asks again by itself, once a second.
_PATIENCE: Final = 30
_MOST_MOMENTS: Final = 9999


@require_safe
def review(request: HttpRequest, code: str) -> HttpResponse:
    """The review, for everybody who sees the replay; where there is none yet, the worker is asked
    for it, and the page asks again (`waited`: how often it has).

    A fragment leads to moments of the replay, as it is looked at there (`seat`, `only`); a page to
    itself, `at` the moment that it shows. No game is reviewed that is not over.
    """
    game = get_object_or_404(Game, code=code, status=Game.Status.FINISHED)
    if game.kind_key not in services.judges():
        raise Http404
    viewing = replay_viewing.from_query(request.GET, game)
    at = _number(request.GET.get("at", ""), most=_MOST_MOMENTS)
    if viewing is None or (at and not replay_page.has_moment(game, at)):
        raise Http404
    context: dict[str, Any] = {"game": game, "replay_url": replay_page.address(game, at or 1)}
    found = services.of_game(game)
    if found is None:
        waited = _number(request.GET.get("waited", ""), most=_PATIENCE)
        context |= {"waited": waited, "patience": _PATIENCE, "state": _state(request, game, waited)}
        context |= {"here": _here(game, viewing, at)}
        context |= {"again": _here(game, viewing, at, waited=waited + 1)}
    else:
        context |= {"state": "made"} | _told(request, game, found, viewing, at)
    template = "games/_review.html" if is_htmx(request) else "games/review.html"
    limited = context["state"] == "limited"
    status = HTTPStatus.TOO_MANY_REQUESTS if limited else HTTPStatus.OK
    return render(request, template, context, status=status)


def _told(
    request: HttpRequest, game: Game, found: services.Review, viewing: Viewing, at: int
) -> dict[str, Any]:
    """What a fragment or a page shows of a review that is there."""
    reader = review_page.reader_of(game, request.user)
    tries = trying.is_offered(game, request.user)
    if is_htmx(request):
        address = partial(replay_page.address, game, viewing=viewing)
        return review_page.of_game(game, found, address=address, reader=reader, tries=tries)
    at = at or review_page.first_to_read(found, reader)
    told = review_page.of_game(
        game, found, address=partial(_page, game), reader=reader, at=at, tries=tries
    )
    return told | {"replay_url": replay_page.address(game, at), "tries": tries}


def _page(game: Game, at: int) -> str:
    """The address of the page about a moment."""
    return _here(game, replay_page.ALL_HANDS, at)


def _here(game: Game, viewing: Viewing, at: int, **more: int) -> str:
    """The address of the review as it was asked for; 0 is no moment."""
    asked = {"at": at or None, "seat": viewing.seat, "only": viewing.only, **more}
    query = urlencode({key: value for key, value in asked.items() if value is not None})
    return reverse("games:review", args=[game.code]) + (f"?{query}" if query else "")


def _number(text: str, *, most: int) -> int:
    """A number of an address; what is too long has an end as well, and what is none is 0."""
    return min(int(text[:4]), most) if text.isascii() and text.isdigit() else 0


def _state(request: HttpRequest, game: Game, waited: int) -> str:
    """What became of a review that is not there: who waits has asked before, maybe another
    process of the site.
    """
    if game.pk in services.failed():
        return "failed"
    if waited >= _PATIENCE:
        return "late"
    if waited or services.is_under_way(game) or request.method == "HEAD":
        return "making"
    # allauth's public function never counts a GET.
    action = "review" if request.user.is_authenticated else "review_visitor"
    if not ratelimit.consume(request, app="allauth.account", action=action, limit_get=True):
        return "limited"
    try:
        services.ask(game)
    except worker.Busy:
        return "busy"
    except worker.Failed:
        return "failed"
    return "making"
