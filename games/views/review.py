"""The review of a finished game: a fragment of its replay, or a page of its own."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from allauth.core.internal import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import words
from games.core.numbers import whole_number
from games.models import Game
from games.play import retry, worker
from games.study.marks import shown as marks
from games.study.questions import guess_first
from games.study.replay import replay_page, replay_viewing
from games.study.replay.replay_viewing import Viewing
from games.study.review import beliefs, review_page, reviews
from games.views.actions import is_htmx

# How many times a page polls for the review, once a second.
_PATIENCE: Final = 30
_MOST_MOMENTS: Final = 9999


@require_safe
def review(request: HttpRequest, code: str) -> HttpResponse:
    """The review of a finished game, for everybody who can see the replay. If there is none yet,
    the worker is asked for it, and the page polls; `waited` is how many times it has.

    A fragment links to moments of the replay in the present view (`seat`, `only`). A page links to
    itself; `at` is the moment that it shows.
    """
    game = get_object_or_404(Game, code=code, status=Game.Status.FINISHED)
    if game.kind_key not in reviews.judges():
        raise Http404
    viewing = replay_viewing.from_query(request.GET, game)
    at = _number(request.GET.get("at", ""), most=_MOST_MOMENTS)
    if viewing is None or (at and not replay_page.has_moment(game, at)):
        raise Http404
    context: dict[str, object] = {"game": game, "replay_url": replay_page.address(game, at or 1)}
    found = reviews.of_game(game)
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
    context["SITE_NAME"] = words.site_name(game.kind_key)
    return render(request, template, context, status=status)


def _told(
    request: HttpRequest, game: Game, found: reviews.StoredReview, viewing: Viewing, at: int
) -> dict[str, object]:
    """The values of a fragment or a page, if there is a review."""
    reader = review_page.reader_of(game, request.user)
    offered = guess_first.is_offered(game, found, reader)
    guesses: dict[str, object] = {
        "guess_url": reverse("games:guess", args=[game.code]) if offered else "",
        "claims": beliefs.of_game(game, request.user),
    }
    tries = retry.is_offered(game, request.user)
    if is_htmx(request):
        address = partial(replay_page.address, game, viewing=viewing)
        told = review_page.of_game(game, found, address=address, reader=reader, tries=tries)
        return told | guesses
    at = at or review_page.first_to_read(found, reader)
    told = review_page.of_game(
        game, found, address=partial(_page, game), reader=reader, at=at, tries=tries
    )
    earned = [] if reader is None else marks.of_game(game, request.user)
    page = {"replay_url": replay_page.address(game, at), "tries": tries, "earned": earned}
    return told | guesses | page


def _page(game: Game, at: int) -> str:
    """The address of the review's page at a moment."""
    return _here(game, replay_page.ALL_HANDS, at)


def _here(game: Game, viewing: Viewing, at: int, **more: int) -> str:
    """The address of the review in this view, at a moment; `at` 0 means no moment."""
    asked = {"at": at or None, "seat": viewing.seat, "only": viewing.only, **more}
    query = urlencode({key: value for key, value in asked.items() if value is not None})
    return reverse("games:review", args=[game.code]) + (f"?{query}" if query else "")


def _number(text: str, *, most: int) -> int:
    """A number from an address: `most` at most, cut to four digits; 0 if it is malformed."""
    return min(whole_number(text[:4], digits=4) or 0, most) if text.isdecimal() else 0


def _state(request: HttpRequest, game: Game, waited: int) -> str:
    """The state of a review that is not there yet; asks for it at the page's first request. A page
    that has `waited` has asked already, possibly in another process.
    """
    if game.pk in reviews.failed():
        return "failed"
    if waited >= _PATIENCE:
        return "late"
    if waited or reviews.is_under_way(game) or request.method == "HEAD":
        return "making"
    # allauth's public function never counts a GET.
    action = "review" if request.user.is_authenticated else "review_visitor"
    if not ratelimit.consume(request, app="allauth.account", action=action, limit_get=True):
        return "limited"
    try:
        reviews.ask(game)
    except worker.Busy:
        return "busy"
    except worker.Failed:
        return "failed"
    return "making"
